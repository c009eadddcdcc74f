import type { OutputStream, Style } from './terminal.js';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const INTERVAL_MS = 80;
const CLEAR_LINE = '\r\u001B[2K';

/** Reports progress: a spinner on a terminal, otherwise a line at the start and one at the end. */
export interface Progress {
  /** Sets the current step: `120 of 3000 rows`. Shown on terminals only. */
  readonly update: (detail: string) => void;
  /** Prints a permanent line. */
  readonly log: (line: string) => void;
}

interface Spinner extends Progress {
  readonly stop: () => void;
}

const startSpinner = (stream: OutputStream, style: Style, label: string): Spinner => {
  let frame = 0;
  let detail = '';
  const draw = (): void => {
    const suffix = detail === '' ? '' : ` ${style.dim(detail)}`;
    stream.write(`${CLEAR_LINE}${style.cyan(FRAMES.charAt(frame))} ${label}${suffix}`);
    frame = (frame + 1) % FRAMES.length;
  };
  draw();
  const timer = setInterval(draw, INTERVAL_MS);
  return {
    update: (text) => {
      detail = text;
    },
    log: (line) => {
      stream.write(`${CLEAR_LINE}${line}\n`);
      draw();
    },
    stop: () => {
      clearInterval(timer);
      stream.write(CLEAR_LINE);
    },
  };
};

const startLine = (stream: OutputStream, label: string): Spinner => {
  stream.write(`${label}…\n`);
  return { update: () => undefined, log: (line) => void stream.write(`${line}\n`), stop: () => undefined };
};

/** Runs `work` and shows its label on `stream`. Afterwards prints a tick with the duration, or a cross. */
export async function withProgress<T>(
  stream: OutputStream,
  style: Style,
  label: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const spinner = stream.isTTY === true ? startSpinner(stream, style, label) : startLine(stream, label);
  const startedAt = performance.now();
  try {
    const result = await work(spinner);
    spinner.stop();
    stream.write(
      `${style.green('✔')} ${label} ${style.dim(`(${Math.round(performance.now() - startedAt)} ms)`)}\n`,
    );
    return result;
  } catch (error) {
    spinner.stop();
    stream.write(`${style.red('✖')} ${label}\n`);
    throw error;
  }
}

const WIDTH = 20;

/**
 * Prints the progress of work: a bar and the number of items, or only the number if the total is unknown.
 *
 * @example
 *   printProgress(500, 2000, '3 rejected'); // '█████░░░░░░░░░░░░░░░ 25 % 500 of 2000, 3 rejected'
 */
export function printProgress(done: number, total: number | null, detail: string): string {
  if (total === null || total === 0) return `${done}, ${detail}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `${bar} ${Math.floor(share * 100)} % ${done} of ${total}, ${detail}`;
}
