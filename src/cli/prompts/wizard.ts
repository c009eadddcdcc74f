import { styleFor } from '../terminal/style.js';
import { wantsColor, writeText } from '../terminal/terminal.js';
import { wrapParagraphs } from '../terminal/wrap-text.js';
import type { Terminal } from '../terminal/terminal.js';
import { prompt } from './prompt.js';
import type { Prompter, PromptScreen, Question } from './prompt.js';

/** The argument of a wizard's questions. */
export interface Wizard {
  readonly prompter: Prompter;
  /** Prints a message. Not again where answers are replayed. */
  readonly info: (text: string) => void;
  /**
   * Sets the name of the draft that the answers so far form and that Ctrl-C discards: `the content-type
   * recipe`.
   */
  readonly setDraft: (draft: string) => void;
}

const ERASE_LINE_ABOVE = '\u001B[1A\r\u001B[2K';
const KEYS =
  'Esc goes back a question. Ctrl-C stops: nothing is written before the end. * marks what needs a value.';

/** Thrown to leave a question for the one before it. */
class StepBack extends Error {}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

const isEscape = (key: unknown): boolean =>
  typeof key === 'object' && key !== null && 'name' in key && key.name === 'escape';

/** @throws `StepBack` where Escape is typed */
const askOrStepBack = async <T>(terminal: Terminal, question: Question<T>, previous: unknown): Promise<T> => {
  const controller = new AbortController();
  const { signal } = controller;
  const screen: PromptScreen & { clearPromptOnDone: boolean } = {
    input: terminal.stdin,
    output: terminal.stderr,
    signal,
    clearPromptOnDone: false,
    previous,
  };
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

export interface WizardOptions {
  /** The answers of questions that were asked before and that `flow` asks first. New ones are added. */
  readonly answers?: unknown[];
  /** Neither explains the keys nor comments on Ctrl-C: questions that choose what to show. */
  readonly isQuiet?: boolean;
}

/**
 * Asks the questions of `flow`, which may be taken back: the flow is then run again with the answers before
 * the last one. It must ask the same questions for the same answers, and must change nothing but what it
 * creates. Ctrl-C says what is thrown away.
 */
export async function runWizard<T>(
  terminal: Terminal,
  flow: (wizard: Wizard) => Promise<T>,
  { answers = [], isQuiet = false }: WizardOptions = {},
): Promise<T> {
  const style = styleFor(wantsColor(terminal, terminal.stderr));
  const tell = (text: string): void => {
    if (!isQuiet) writeText(terminal.stderr, style.dim(text));
  };
  let withdrawn: unknown;
  let hasExplained = false;
  let draft: string | null = null;
  /** True if something stands below the last answer. */
  let hasPrinted = answers.length > 0;

  const runOnce = (): Promise<T> => {
    let position = 0;
    const prompter: Prompter = async <Answer>(question: Question<Answer>): Promise<Answer> => {
      if (position === answers.length) {
        if (!hasExplained) tell(KEYS);
        hasExplained = true;
        answers.push(await askOrStepBack(terminal, question, withdrawn));
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
