import type { FakeTerminal } from './fake-terminal.js';

/** The arrow key. */
export const DOWN = '\u001B[B';

const POLL_MS = 5;
const TIMEOUT_MS = 10_000;
/** A prompt listens a moment after it is drawn. */
const PROMPT_DELAY_MS = 15;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Waits for each question in turn, in what is drawn after the answer before it, and types the keys. */
export async function answerAll(
  terminal: FakeTerminal,
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<void> {
  let read = 0;
  for (const [question, keys] of answers) {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!terminal.err().slice(read).includes(question)) {
      if (Date.now() > deadline)
        throw new Error(`${question} was never asked; the terminal shows:\n${terminal.err().slice(read)}`);
      await sleep(POLL_MS);
    }
    await sleep(PROMPT_DELAY_MS);
    read = terminal.err().length;
    terminal.type(keys);
  }
}
