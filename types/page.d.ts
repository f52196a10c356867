// The types that the page's scripts share: what the server answers (docs/api.md), positions, rules and the board.
//
// They are global, so that the scripts name them without importing anything; the wheel does not have this file.

/** [row, col], from 0 at the top left. */
type Cell = [number, number];

interface Palette {
  clues: string[];
  open: string;
  hidden: string;
  edge: string;
  flag: string;
  exploded: string;
  ink: string;
  faint: string;
  mine: string;
  tile_ink: string;
  shadow: string;
}

/** [row, col, code]: what a cell shows now. */
type Change = [number, number, number];
/** [value, low, high], with the bounds of its 95 % interval. */
type Interval = [number, number, number];
type Size = { width: number; height: number };

// -- words -----------------------------------------------------------------------------------------------------

/** What stands in a sentence. */
type Value = string | number;
/** A sentence, a function that makes one, or a table or list of them. */
type Words = string | ((...values: Value[]) => string) | { readonly [name: string]: Words } | readonly Words[];
type English = typeof import("../src/sapper/web/static/words/english.js").english;
type SettingName =
  "size" | "chord" | "flag" | "first" | "questions" | "ask" | "rulers" | "tenths" | "animation" | "sound" | "keys";
type ModeName = "play" | "train" | "watch" | "analyse" | "review" | "you" | "lab";

// -- elements --------------------------------------------------------------------------------------------------

type TagIn<Name extends string> = Name extends `${infer Tag}.${string}` ? Tag : Name;
/** The element that a name such as "button.primary" stands for. */
type ElementNamed<Name extends string> =
  TagIn<Name> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagIn<Name>] : HTMLElement;
type Child = Node | string | null | undefined | false;

interface Attributes {
  onclick?: ((event: MouseEvent) => unknown) | null;
  onchange?: (event: Event) => unknown;
  oninput?: (event: Event) => unknown;
  onsubmit?: (event: SubmitEvent) => unknown;
  onkeydown?: (event: KeyboardEvent) => unknown;
  onfocusin?: () => unknown;
  onfocusout?: (event: FocusEvent) => unknown;
  onclose?: () => unknown;
  ontoggle?: () => unknown;
  [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
}

/** What an element speaks of when it names a cell, and what tests reach a board by. */
interface Pointable {
  stage: HTMLElement | null;
  point(cell: Cell | null): void;
  reveal(row: number, col: number): void;
  isRuled?: boolean;
}

interface HTMLElement {
  board?: Pointable;
  boards?: Pointable[];
}

// -- modes -----------------------------------------------------------------------------------------------------

interface Mode {
  /** The address of what is shown, where the bar of the browser may lag behind. */
  place?: string;
  enter?(query: URLSearchParams): Promise<void>;
  leave?(): void;
  /** Whether it asks before another mode is shown; `go` goes there after all. */
  isHeld?(go: () => void): boolean;
  key?(event: KeyboardEvent): void;
}

interface ModeModule {
  create(root: HTMLElement, info: Info): Mode;
  prepare?(): void;
}

// -- boards ----------------------------------------------------------------------------------------------------

type Shape = string; // the name of a topology, or the table of a board of one's own
type Grid = { rows: number; cols: number; shape: Shape };

interface Position extends Grid {
  total: number | null;
  channel: string | null;
  cells: Int8Array<ArrayBuffer>;
}

interface Rules extends Grid {
  mines: number;
  first: string;
  survey: boolean;
  totalHidden: boolean;
  cascade: boolean;
  channel: string;
  dealing: string;
}

/** Cells by the name of the mark that they get. */
type Marks = { [name: string]: Cell[] | undefined };
type Board = import("../src/sapper/web/static/board/board.js").Board;
type BoardAction = "open" | "flag" | "chord" | "tap" | "double";

interface BoardOptions {
  label?: string;
  theme?: "board" | "watch";
  /** Css pixels of a cell that fits by itself. */
  smallest?: number;
  largest?: number;
  atTop?: boolean;
  /** Whether rows and columns are numbered unless somebody chose otherwise. */
  isRuled?: boolean;
  /** Whether there is room for these numbers while they are not shown. */
  keepsRulerRoom?: boolean;
  flagsOnPress?: boolean;
  /** Uses a cell, if cells can be used. */
  act?(action: BoardAction, row: number, col: number): void;
  press?(): void;
  drag?(row: number, col: number): void;
  /** Takes a key that is not an arrow; whether it meant anything. */
  key?(event: KeyboardEvent, row: number, col: number): boolean;
}

// -- the server ------------------------------------------------------------------------------------------------

/** What the server is asked: static/common/api.js. */
interface Api {
  info(): Promise<Info>;
  newGame(settings: NewGame): Promise<GameState>;
  game(id: string): Promise<GameState>;
  games(): Promise<GameEntry[]>;
  move(id: string, action: MoveAction, row: number, col: number): Promise<GameState>;
  undo(id: string): Promise<GameState>;
  again(id: string): Promise<GameState>;
  hint(id: string, skip?: number): Promise<Hint>;
  chances(id: string): Promise<Chances>;
  analysis(id: string): Promise<{ position: string }>;
  wrongFlags(id: string): Promise<{ cells: Cell[] }>;
  downloadPath(id: string, format: string): string;
  record(id: string): Promise<string>;
  watch(rules: string, seed: number, agent: string, since: number, seconds: number): Promise<Watched>;
  analyse(position: string, signal?: AbortSignal): Promise<Analysis>;
  picture(picture: string): Promise<PictureReading>;
  best(position: string, seconds: number): Promise<Best>;
  explain(position: string, row: number, col: number): Promise<Explanation>;
  review(what: Reviewed): Promise<GameReview>;
  lastMove(id: string): Promise<LastMove>;
  wins(what: Reviewed, games: number, since: number, signal: AbortSignal): Promise<WinsPart>;
  continueGame(from: (Reviewed & { moves: number }) | { position: string }): Promise<GameState>;
  daily(): Promise<Daily>;
  dailyBoard(level: string, day?: string): Promise<DailyBoard>;
  playDaily(level: string | null): Promise<GameState>;
  you(): Promise<PlayerStatistics>;
  forgetMe(): Promise<{ deleted_games: number }>;
  exportPath(format: string, of: string | null): string;
  train: {
    progress(): Promise<TrainProgress>;
    next(wanted: Wish): Promise<Asked>;
    puzzle(which: { link: string; way: Way; began: number | null }): Promise<Asked>;
    ofPosition(position: string): Promise<Given>;
    hint(which: { link: string }): Promise<{ hint: string }>;
    check(answer: Wish & { link: string } & Answered): Promise<Verdict>;
    course(): Promise<{ lessons: LessonEntry[] }>;
    lesson(name: string): Promise<Lesson>;
  };
  startLab(settings: Sweep): Promise<{ id: string }>;
  lab(id: string): Promise<LabReport>;
  labs(): Promise<LabEntry[]>;
  stopLab(id: string): Promise<unknown>;
}

/** What a picture shows: the board and its doubtful cells, and where it is in the picture, in pixels. */
interface PictureReading {
  position: string;
  doubts: Cell[];
  grid: { x: number; y: number; width: number; height: number };
  alternatives: string[];
}

/** The body of an error: one sentence, and what an impossible position is blamed on. */
interface ErrorBody {
  error?: string;
  position?: string;
  clues?: Cell[];
  total?: boolean;
}

// -- what the server answers -----------------------------------------------------------------------------------

interface Info {
  version: string;
  presets: Record<string, string>;
  /** `summary` is the first sentence of `about`; `reports` are the numbers of the student reports it comes from. */
  agents: { name: string; summary: string; about: string; reports: string[] }[];
  topologies: string[];
  first_clicks: string[];
  dealings: string[];
  limits: { rows: number; cols: number; table: number };
  no_guess: boolean;
}

type MoveAction = "open" | "flag" | "chord";
interface Move {
  action: MoveAction;
  row: number;
  col: number;
}

type GuessKind = "forced" | "unforced" | "unknown";
type Outcome = "playing" | "won" | "lost" | "finished";

interface GameState {
  id: string;
  rules: string;
  position: string;
  outcome: Outcome;
  over: boolean;
  mines_left: number | null;
  moves: number;
  seconds: number;
  undone: boolean;
  no_guess: boolean;
  score: number | null;
  seed?: number;
  /** The day and the level of a board of the day: of the try that counts, or of one after it. */
  daily?: string;
  practice?: string;
  played_on?: boolean;
  guesses?: Record<GuessKind, { made: number; survived: number }>;
  changed?: Change[];
  layout?: Cell[];
  metrics?: Metrics | null;
  result?: {
    counts: boolean;
    before: {
      games: number;
      wins: number;
      streak: number;
      best_seconds: number | null;
      best_speed: number | null;
    };
  } | null;
}

interface Metrics {
  "3bv": number;
  openings: number;
  islands: number;
  zini: number | null;
  clicks: number;
  efficiency: number | null;
}

interface GameEntry {
  id: string;
  rules: string;
  outcome: Outcome;
  moves: number;
}

interface NewGame {
  rules: string;
  seed?: number;
  no_guess?: boolean;
}

interface Chances {
  /** Row by row; null where a cell is open. */
  p: (number | null)[][];
  safe: Cell[];
  mines: Cell[];
  /** Whether the rules make every first cell safe. */
  promised?: boolean;
  /** The best guess where no cell is safe. */
  guess?: Cell | null;
}

type Proven = "safe" | "mine";

interface Explanation {
  cell: Cell;
  verdict: Proven | null;
  p_mine: number;
  kind: string | null;
  clues: Cell[];
  uses_total: boolean;
  steps: { sentence: string; depth: number }[];
  summary: string;
  because: string;
  details: string[];
}

interface Hint extends Explanation {
  certain: boolean;
  n_certain: number;
  candidates: { cell: Cell; p_mine: number }[];
  best: { cell: Cell; p_mine: number; p_win: number | null; how: string; reason: string } | null;
  safest: { cell: Cell; p_mine: number } | null;
}

/** The verdict on the last move of a game, and what would have been better. */
interface LastMove {
  verdict: string;
  p_mine: number | null;
  p_win: number | null;
  is_best: boolean;
  is_safest: boolean;
  instead: { cell: Cell; p_mine: number; p_win: number | null } | null;
  proof: Explanation | null;
}

interface Analysis extends Chances {
  position: string;
  best: Cell[];
  layouts: string | null;
  log_layouts: number | null;
}

interface Candidate {
  cell: Cell;
  risk: number;
  p_win: number | null;
  error: number;
  games: number;
  reason: string;
}

interface Best {
  cell: Cell;
  certain: boolean;
  exact: boolean;
  candidates: Candidate[];
}

type View = keyof English["watch"]["views"];

interface Deduction {
  cell: Cell;
  is_mine: boolean;
  reason: string;
}

interface Step {
  moves: Move[];
  reason: string;
  p_mine: number | null;
  deductions: Deduction[];
  position_after: string;
}

interface Watched {
  start: string;
  steps: Step[];
  over: boolean;
  layout: Cell[];
  outcome: Outcome;
  score?: number;
}

/** A board of the day, and how all visitors did on it. */
interface DailyBoard {
  level: string;
  date: string;
  rules: string;
  "3bv": number;
  par: number;
  state: "open" | "playing" | "solved" | "failed";
  seconds: number | null;
  assisted: boolean;
  field: {
    seconds_per_bin: number;
    bins: number[];
    failed: number;
    place: number | null;
    own_bin: number | null;
  };
}

interface Daily {
  levels: {
    level: string;
    state: "open" | "playing" | "solved" | "failed";
    game: string | null;
    seconds: number | null;
    assisted: boolean;
  }[];
  streak: number;
  longest_streak: number;
  seconds_left: number;
}

// -- reviews

/** What the server is asked to review. */
interface Reviewed {
  record?: string;
  video?: string;
  suffix?: string;
  game?: string;
  games?: number;
}

interface ReviewedMove extends Move {
  reason: string;
  p_mine: number | null;
  best_p: number | null;
  verdict: string;
  notable: boolean;
  instead: Cell[];
  hit: boolean;
  words: string[];
  certain: boolean;
  position_before: string | null;
  position_after: string | null;
  changed: Change[];
  wins: { exact: boolean; best: Interval; played: Interval; lost: Interval } | null;
}

interface GameReview {
  rules: string;
  start: string;
  moves: ReviewedMove[];
  summary: string[];
  mistakes: number[];
  last_safe: number | null;
  outcome: Outcome;
  identified: number;
  layout: Cell[];
}

interface WinsPart {
  moves: (Partial<ReviewedMove> & { number: number })[];
  done: number;
  total: number;
  next: number | null;
  summary: string[] | null;
  mistakes: number[] | null;
}

// -- statistics

interface Luck {
  games: number;
  expected: number;
  spread: number;
  hits: number;
  unknown_moves: number;
  judged: number;
  needless: number;
  mistakes: number;
  waiting: number;
  left_out: number;
}

interface Totals {
  games: number;
  wins: number;
  rate: Interval | null;
  best_seconds: number | null;
  median_seconds: number | null;
  best_speed: number | null;
  mean_speed: number | null;
  efficiency: number | null;
  streak: number;
  longest_streak: number;
  assisted: { games: number; wins: number };
  luck: Luck;
}

interface BoardTotals extends Totals {
  rules: string;
  no_guess: boolean;
  daily: boolean;
}

interface Result {
  rules: string;
  no_guess: boolean;
  daily: string | null;
  ended: string;
  outcome: Outcome;
  seconds: number;
  speed: number | null;
  risk: number | null;
  assisted: boolean;
}

interface PlayerStatistics {
  all: Totals;
  boards: BoardTotals[];
  results: Result[];
}

// -- training

type Kind = keyof English["train"]["kinds"];
type RoundName = "sprint" | "survival";
type Way = "rated" | "free" | RoundName;
type Puzzles = import("../src/sapper/web/static/modes/train/run.js").Puzzles;

interface Puzzle {
  link: string;
  kind: Kind;
  board: string;
  position: string;
  marked: Cell[];
  answer_with: "open" | "flag" | "clue" | "number";
  /** What the marked cell of a chain is. */
  proven: Proven | null;
}

interface Round {
  began: number;
  right: number;
  lives: number | null;
  seconds_left: number | null;
  over: boolean;
}

interface Rated {
  rating: number | null;
  deviation: number | null;
  provisional: boolean | null;
}

interface Asked extends Rated {
  puzzle: Puzzle;
  repetition: boolean;
  round: Round | null;
}

/** A puzzle of a position; where it makes none, the kind of one that fits. */
type Given = Asked | (Rated & { puzzle: null; kind: Kind });

/** What somebody wants to train with. */
interface Wanted {
  kind?: string | null;
  board?: string | null;
}

interface Wish extends Wanted {
  way: Way;
  began?: number | null;
}

/** How a puzzle is answered, how long that took and whether a hint was shown. */
type Answer = { row: number; col: number } | { number: number } | { give_up: true };
type Answered = Answer & { seconds: number; hinted: boolean };

interface Proof {
  cell: Cell;
  verdict: Proven;
  clues: Cell[];
  summary: string[];
  steps: ProofStep[];
}

interface ProofStep {
  sentence: string;
  rule: string;
  cells: Cell[];
  clues: Cell[];
  fewest: number;
  most: number;
  depth: number;
}

interface GuessedCell {
  cell: Cell;
  risk: number;
  p_win: number;
}

interface Verdict extends Rated {
  right: boolean;
  score: number;
  said: string[];
  proof: Proof | null;
  layouts: [Cell[], Cell[]] | null;
  answer: string;
  reason: string;
  number: number | null;
  guess: { own: GuessedCell | null; best: GuessedCell; cells: GuessedCell[]; chances: Chances } | null;
  counts: boolean;
  before: number | null;
  round: Round | null;
}

interface Standing {
  rating: number;
  deviation: number;
  provisional: boolean;
  rated: number;
  attempts: number;
  accuracy: number;
  mean_seconds: number;
}

interface TrainProgress {
  overall: Standing;
  kinds: Record<string, Standing>;
  streaks: { right: number; most_right: number; days: number };
  repetition: { due: string[]; waiting: number; next_due: number | null };
  weakest: { kind: Kind; score: number; expected: number } | null;
  best_by_board: Record<RoundName, Record<string, number>>;
  /** Points [time, rating, deviation], by kind and "overall". */
  progress: Record<string, [number, number, number][]>;
}

interface LessonEntry {
  number: number;
  name: string;
  title: string;
  about: string;
  puzzles: { link: string; kind: Kind; solved: boolean }[];
}

interface Frame {
  position: string;
  caption: string;
  lit: Marks;
  total: boolean;
  risks: { cell: Cell; p_mine: number }[];
  chances: { cell: Cell }[];
}

interface Lesson extends LessonEntry {
  text: string[];
  example: Frame[];
  remember: string;
  next: string | null;
}

// -- the lab

type Measure = keyof English["lab"]["measures"];

interface Sweep {
  agents: string[];
  size: string;
  densities: number[];
  games: number;
  words: string;
}

interface LabEntry extends Sweep {
  id: string;
  done: number;
  total: number;
  finished: boolean;
  running: boolean;
  error: string | null;
}

interface LabReport extends LabEntry {
  rows: LabRow[];
}

/** Its intervals are null where nothing is known yet. */
type LabRow = { agent: string; density: number; n_games: number } & Record<
  Measure,
  [number | null, ...number[]] | null
>;
