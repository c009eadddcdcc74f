import { styleFor } from '../terminal/style.js';
import { wantsColor, writeText } from '../terminal/terminal.js';
import { wrapParagraphs } from '../terminal/wrap-text.js';
import type { Terminal } from '../terminal/terminal.js';
import { prompt } from './prompt.js';
import type { Prompter, Question } from './prompt.js';

/** What a wizard's questions get. */
export interface Wizard {
  readonly prompter: Prompter;
  /** Prints a message. Not again where answers are replayed. */
  readonly info: (text: string) => void;
  /** States what the answers so far make up, which Ctrl-C throws away: `the content-type recipe`. */
  readonly setDraft: (draft: string) => void;
}

const ERASE_LINE_ABOVE = '\u001B[1A\r\u001B[2K';
const KEYS = 'Esc goes back a question. Ctrl-C stops: nothing is written before the end.';

/** Thrown to leave a question for the one before it. */
class StepBack extends Error {}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Offers the answer that was taken back as the default. */
const withDefault = <T>(question: Question<T>, answer: unknown): Question<T> => {
  if (typeof answer !== 'string' && typeof answer !== 'boolean') return question;
  return (prompts, screen) => {
    const { input, confirm, select } = prompts;
    const proposal = { default: answer as never };
    return question(
      {
        ...prompts,
        input: (config, context) => input({ ...config, ...proposal }, context),
        confirm: (config, context) => confirm({ ...config, ...proposal }, context),
        select: (config, context) => select({ ...config, ...proposal }, context),
      },
      screen,
    );
  };
};

const isEscape = (key: unknown): boolean =>
  typeof key === 'object' && key !== null && 'name' in key && key.name === 'escape';

/** @throws `StepBack` where Escape is typed */
const askOrStepBack = async <T>(terminal: Terminal, question: Question<T>): Promise<T> => {
  const controller = new AbortController();
  const { signal } = controller;
  const screen = { input: terminal.stdin, output: terminal.stderr, signal, clearPromptOnDone: false };
  const onKey = (_text: unknown, key: unknown): void => {
    if (!isEscape(key)) return;
    screen.clearPromptOnDone = true;
    controller.abort();
  };
  terminal.stdin.on('keypress', onKey);
  try {
    return await prompt(terminal, question, screen);
  } catch (error) {
    throw hasName(error, 'AbortPromptError') ? new StepBack() : error;
  } finally {
    terminal.stdin.off('keypress', onKey);
  }
};

/**
 * Asks the questions of `flow`, which may be taken back: the flow is then run again with the answers before
 * the last one. It must ask the same questions for the same answers, and must change nothing but what it
 * creates. Ctrl-C says what is thrown away.
 */
export async function runWizard<T>(terminal: Terminal, flow: (wizard: Wizard) => Promise<T>): Promise<T> {
  const style = styleFor(wantsColor(terminal, terminal.stderr));
  const tell = (text: string): void => writeText(terminal.stderr, style.dim(text));
  const answers: unknown[] = [];
  let withdrawn: unknown;
  let draft: string | null = null;
  /** Whether something stands below the last answer. */
  let hasPrinted = false;

  const runOnce = (): Promise<T> => {
    let position = 0;
    const prompter: Prompter = async <Answer>(question: Question<Answer>): Promise<Answer> => {
      if (position === answers.length) {
        if (answers.length === 0 && withdrawn === undefined) tell(KEYS);
        answers.push(await askOrStepBack(terminal, withDefault(question, withdrawn)));
        withdrawn = undefined;
        hasPrinted = false;
      }
      return answers[position++] as Answer;
    };
    const info = (text: string): void => {
      if (position !== answers.length) return;
      hasPrinted = true;
      writeText(terminal.stderr, wrapParagraphs(text, terminal.stderr.columns));
    };
    return flow({ prompter, info, setDraft: (text) => (draft = text) });
  };

  for (;;) {
    try {
      return await runOnce();
    } catch (error) {
      if (hasName(error, 'ExitPromptError'))
        tell(`Nothing was written.${draft === null ? '' : ` Thrown away: ${String(draft)}.`}`);
      if (!(error instanceof StepBack)) throw error;
      if (answers.length > 0 && !hasPrinted) terminal.stderr.write(ERASE_LINE_ABOVE);
      withdrawn = answers.pop();
      draft = null;
      hasPrinted = true;
    }
  }
}
