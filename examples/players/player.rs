// A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell.
use std::collections::BTreeSet;
use std::io::{stdin, stdout, Write};

fn answer(rows: &[&str], seed: usize) -> String {
    let cols = rows[0].len();
    let shown: Vec<char> = rows.concat().chars().collect(); // cell n is in row n / cols and column n % cols
    let closed: Vec<usize> = (0..shown.len()).filter(|&cell| "#F*".contains(shown[cell])).collect();
    let near = |clue: usize| -> BTreeSet<usize> {
        let touches = |a: usize, b: usize| a.abs_diff(b) <= 1;
        closed.iter().copied().filter(|c| touches(c / cols, clue / cols) && touches(c % cols, clue % cols)).collect()
    };
    let clues = || (0..shown.len()).filter_map(|cell| Some((near(cell), shown[cell].to_digit(10)? as usize)));
    let mut mines: BTreeSet<usize> = closed.iter().copied().filter(|&cell| shown[cell] == '*').collect();
    mines.extend(clues().filter(|(cells, clue)| cells.len() == *clue).flat_map(|(cells, _)| cells));
    let done = clues().filter(|(cells, clue)| cells.intersection(&mines).count() == *clue);
    let safe: BTreeSet<usize> = done.flat_map(|(cells, _)| &cells - &mines).collect();
    let rest: BTreeSet<usize> = closed.iter().copied().filter(|cell| !mines.contains(cell)).collect();
    let choice: Vec<usize> = if safe.is_empty() { rest } else { safe }.into_iter().collect();
    let chosen = choice.get(seed % choice.len().max(1));
    let open = chosen.map_or("stop".into(), |cell| format!("open {} {}", cell / cols, cell % cols));
    mines.iter().fold(open + " mine", |line, mine| format!("{line} {},{}", mine / cols, mine % cols))
}

fn main() {
    let mut seed = 0;
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "sapper" => println!("text single clues in Rust"),
            "game" => seed = words[4].parse().unwrap_or(0),
            "position" => println!("{}", answer(&words[1].split('/').collect::<Vec<_>>(), seed)),
            _ => {}
        }
        stdout().flush().unwrap();
    }
}
