// A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell.
import java.util.*;

public class Player {
    static String[] rows;

    static char shows(int[] cell) { return rows[cell[0]].charAt(cell[1]); }

    static boolean isHidden(int[] cell) { return shows(cell) == '#' || shows(cell) == 'F'; }

    static List<int[]> cells(int top, int bottom, int left, int right) {
        List<int[]> found = new ArrayList<>();
        for (int row = Math.max(top, 0); row <= Math.min(bottom, rows.length - 1); row++)
            for (int col = Math.max(left, 0); col <= Math.min(right, rows[0].length() - 1); col++)
                found.add(new int[] {row, col});
        return found;
    }

    static String choose(long seed) {
        Set<String> mines = new LinkedHashSet<>();
        int[] open = null;
        List<int[]> all = cells(0, rows.length, 0, rows[0].length());
        for (int[] cell : all) if (shows(cell) == '*') mines.add(cell[0] + "," + cell[1]);
        for (int pass = 0; pass < 2; pass++)
            for (int[] clue : all) {
                if (!Character.isDigit(shows(clue)) || open != null) continue;
                List<int[]> around = cells(clue[0] - 1, clue[0] + 1, clue[1] - 1, clue[1] + 1);
                long closed = around.stream().filter(cell -> isHidden(cell) || shows(cell) == '*').count();
                long known = around.stream().filter(cell -> mines.contains(cell[0] + "," + cell[1])).count();
                for (int[] cell : around) {
                    if (!isHidden(cell)) continue;
                    if (pass == 0 && closed == shows(clue) - '0') mines.add(cell[0] + "," + cell[1]);
                    boolean isFree = !mines.contains(cell[0] + "," + cell[1]) && open == null;
                    if (pass == 1 && known == shows(clue) - '0' && isFree) open = cell;
                }
            }
        List<int[]> rest = all.stream().filter(cell -> isHidden(cell) && !mines.contains(cell[0] + "," + cell[1])).toList();
        if (open == null && !rest.isEmpty()) open = rest.get((int) (seed % rest.size()));
        return (open == null ? "stop" : "open " + open[0] + " " + open[1]) + " mine " + String.join(" ", mines);
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        for (long seed = 0; input.hasNextLine(); ) {
            String[] words = input.nextLine().split(" ");
            if (words[0].equals("quit")) return;
            if (words[0].equals("sapper")) System.out.println("text single clues in Java");
            if (words[0].equals("game")) seed = Long.parseLong(words[4]);
            if (words[0].equals("position")) {
                rows = words[1].split("/");
                System.out.println(choose(seed).strip());
            }
        }
    }
}
