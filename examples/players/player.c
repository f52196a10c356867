/* A player for Sapper's line protocol: the two rules of single clues, else an arbitrary cell. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char line[1 << 20], shown[202][202], mark[202][202]; /* with a border; marks are m for a mine, s for safe */

static int is_closed(int r, int c) { return shown[r][c] && strchr("#F*", shown[r][c]); }

/* Count the mines around a clue, or all closed cells; then mark the closed cells that have no mark. */
static int around(int r, int c, int only_mines, char letter) {
    int n = 0;
    for (int i = r - 1; i <= r + 1; i++)
        for (int j = c - 1; j <= c + 1; j++) {
            n += only_mines ? mark[i][j] == 'm' : is_closed(i, j);
            if (letter && is_closed(i, j) && !mark[i][j]) mark[i][j] = letter;
        }
    return n;
}

int main(void) {
    for (long seed = 0; fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4); fflush(stdout)) {
        if (!strncmp(line, "sapper", 6)) puts("text single clues in C");
        sscanf(line, "game %*d %*d %*d %ld", &seed);
        if (strncmp(line, "position ", 9)) continue;
        int rows = 0, n[128] = {0};
        memset(shown, 0, sizeof shown), memset(mark, 0, sizeof mark);
        for (char *row = strtok(strtok(line + 9, " \n"), "/"); row; row = strtok(NULL, "/"))
            strncpy(shown[++rows] + 1, row, 200);
#define EACH(r, c) for (int r = 1; r <= rows; r++) for (int c = 1; shown[r][c]; c++)
        EACH(r, c) if (shown[r][c] == '*') mark[r][c] = 'm';
        EACH(r, c) if (isdigit(shown[r][c]) && around(r, c, 0, 0) == shown[r][c] - '0') around(r, c, 0, 'm');
        EACH(r, c) if (isdigit(shown[r][c]) && around(r, c, 1, 0) == shown[r][c] - '0') around(r, c, 1, 's');
        EACH(r, c) n[(int)mark[r][c]] += is_closed(r, c);
        char wanted = n['s'] ? 's' : 0;
        long skip = n[(int)wanted] ? seed % n[(int)wanted] : -1;
        if (skip < 0) printf("stop");
        EACH(r, c) if (is_closed(r, c) && mark[r][c] == wanted && skip-- == 0) printf("open %d %d", r - 1, c - 1);
        printf(" mine");
        EACH(r, c) if (mark[r][c] == 'm') printf(" %d,%d", r - 1, c - 1);
        puts("");
    }
}
