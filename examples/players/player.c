/* A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20], board[200][200], mine[200][200];
static int rows, cols;

static int is_on(int row, int col) { return row >= 0 && row < rows && col >= 0 && col < cols; }
static int is_hidden(int row, int col) { return board[row][col] == '#' || board[row][col] == 'F'; }

/* Look around a clue: mark its mines (pass 0), or find a cell that is safe (pass 1). */
static int look(int row, int col, int pass, int *r, int *c) {
    int closed = 0, known = 0, clue = board[row][col] - '0', found = 0;
    for (int i = row - 1; i <= row + 1; i++)
        for (int j = col - 1; j <= col + 1; j++)
            if (is_on(i, j)) closed += is_hidden(i, j) || board[i][j] == '*', known += mine[i][j];
    for (int i = row - 1; i <= row + 1 && !found; i++)
        for (int j = col - 1; j <= col + 1 && !found; j++) {
            if (!is_on(i, j) || !is_hidden(i, j)) continue;
            if (pass == 0 && closed == clue) mine[i][j] = 1;
            if (pass == 1 && known == clue && !mine[i][j]) *r = i, *c = j, found = 1;
        }
    return found;
}

int main(void) {
    long seed = 0;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        int r = -1, c = -1, left = 0, found = 0;
        if (!strncmp(line, "sapper", 6)) puts("text single clues in C");
        sscanf(line, "game %*d %*d %*d %ld", &seed);
        if (!strncmp(line, "position ", 9)) {
            rows = 0;
            for (char *row = strtok(strtok(line + 9, " \n"), "/"); row; row = strtok(NULL, "/"))
                cols = (int)strlen(strncpy(board[rows++], row, 199));
            for (int i = 0; i < rows * cols; i++) mine[i / cols][i % cols] = board[i / cols][i % cols] == '*';
            for (int pass = 0; pass < 2; pass++)
                for (int i = 0; i < rows * cols && !found; i++)
                    if (isdigit(board[i / cols][i % cols])) found = look(i / cols, i % cols, pass, &r, &c);
            for (int i = 0; i < rows * cols; i++) left += is_hidden(i / cols, i % cols) && !mine[i / cols][i % cols];
            long skip = left ? seed % left : 0;
            for (int i = 0; i < rows * cols && !found; i++)
                if (is_hidden(i / cols, i % cols) && !mine[i / cols][i % cols] && skip-- == 0) r = i / cols, c = i % cols;
            if (r < 0) printf("stop mine"); else printf("open %d %d mine", r, c);
            for (int i = 0; i < rows * cols; i++) if (mine[i / cols][i % cols]) printf(" %d,%d", i / cols, i % cols);
            puts("");
        }
        fflush(stdout);
    }
    return 0;
}
