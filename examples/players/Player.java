// A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell.
import java.util.*;
import java.util.stream.*;

public class Player {
    static String answer(String[] rows, long seed) {
        int cols = rows[0].length();
        String shown = String.join("", rows);  // cell n is in row n / cols and column n % cols
        List<Integer> cells = IntStream.range(0, shown.length()).boxed().toList();
        List<Integer> closed = cells.stream().filter(cell -> "#F*".indexOf(shown.charAt(cell)) >= 0).toList();
        Set<Integer> mines = new TreeSet<>(closed.stream().filter(cell -> shown.charAt(cell) == '*').toList());
        Set<Integer> safe = new TreeSet<>();
        for (boolean wantsMines : new boolean[] {true, false})
            for (int clue : cells) {
                int mustHave = Character.digit(shown.charAt(clue), 10);
                List<Integer> near = closed.stream().filter(cell -> Math.abs(cell / cols - clue / cols) <= 1
                    && Math.abs(cell % cols - clue % cols) <= 1).toList();
                if (wantsMines && near.size() == mustHave) mines.addAll(near);
                if (!wantsMines && near.stream().filter(mines::contains).count() == mustHave) safe.addAll(near);
            }
        safe.removeAll(mines);
        List<Integer> rest = closed.stream().filter(cell -> !mines.contains(cell)).toList();
        List<Integer> choice = safe.isEmpty() ? rest : List.copyOf(safe);
        int cell = choice.isEmpty() ? -1 : choice.get((int) (seed % choice.size()));
        String claims = mines.stream().map(mine -> " " + mine / cols + "," + mine % cols).collect(Collectors.joining());
        return (cell < 0 ? "stop" : "open " + cell / cols + " " + cell % cols) + " mine" + claims;
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        for (long seed = 0; input.hasNextLine(); ) {
            String[] words = input.nextLine().split(" ");
            if (words[0].equals("sapper")) System.out.println("text single clues in Java");
            if (words[0].equals("game")) seed = Long.parseLong(words[4]);
            if (words[0].equals("position")) System.out.println(answer(words[1].split("/"), seed));
            if (words[0].equals("quit")) return;
        }
    }
}
