// A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell.
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

type Cell = (usize, usize);

fn choose(rows: &[Vec<u8>], seed: usize) -> (Option<Cell>, BTreeSet<Cell>) {
    let cells: Vec<Cell> = (0..rows.len()).flat_map(|row| (0..rows[0].len()).map(move |col| (row, col))).collect();
    let near = |at: Cell| cells.iter().copied().filter(move |c| *c != at && c.0.abs_diff(at.0).max(c.1.abs_diff(at.1)) == 1);
    let shows = |c: Cell| rows[c.0][c.1];
    let hidden = |c: Cell| shows(c) == b'#' || shows(c) == b'F';
    let mut mines: BTreeSet<Cell> = cells.iter().copied().filter(|c| shows(*c) == b'*').collect();
    let clues: Vec<Cell> = cells.iter().copied().filter(|c| shows(*c).is_ascii_digit()).collect();
    for &clue in &clues {
        let closed: Vec<Cell> = near(clue).filter(|c| hidden(*c) || shows(*c) == b'*').collect();
        if closed.len() == (shows(clue) - b'0') as usize {
            mines.extend(closed);
        }
    }
    for &clue in &clues {
        let known = near(clue).filter(|c| mines.contains(c)).count();
        let safe = near(clue).find(|c| hidden(*c) && !mines.contains(c));
        if safe.is_some() && known == (shows(clue) - b'0') as usize {
            return (safe, mines);
        }
    }
    let rest: Vec<Cell> = cells.iter().copied().filter(|c| hidden(*c) && !mines.contains(c)).collect();
    (rest.get(seed % rest.len().max(1)).copied(), mines)
}

fn main() {
    let mut seed = 0;
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "sapper" => println!("text single clues in Rust"),
            "game" => seed = words[4].parse().unwrap_or(0),
            "position" => {
                let rows: Vec<Vec<u8>> = words[1].split('/').map(|row| row.as_bytes().to_vec()).collect();
                let (cell, mines) = choose(&rows, seed);
                let claims: Vec<String> = mines.iter().map(|c| format!("{},{}", c.0, c.1)).collect();
                let open = cell.map_or("stop".to_string(), |c| format!("open {} {}", c.0, c.1));
                println!("{}", format!("{open} mine {}", claims.join(" ")).trim_end());
            }
            "quit" => return,
            _ => {}
        }
        io::stdout().flush().unwrap();
    }
}
