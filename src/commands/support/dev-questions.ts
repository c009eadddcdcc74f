import type { DevQuestions } from '../../app/dev-round.js';
import { openProject } from '../../app/open-project.js';
import { askRenames, nameRenames } from './choose-renames.js';
import { ask } from './prompts.js';
import type { Terminal } from './terminal.js';

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Questions of a development server: given up when the next change makes them pointless; Ctrl-C in one means the server. */
const confirm = async (terminal: Terminal, message: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return await ask(terminal, (prompts, screen) => prompts.confirm({ message, default: false }, { ...screen, signal }));
  } catch (error) {
    if (hasName(error, 'ExitPromptError')) process.kill(process.pid, 'SIGINT');
    else if (!hasName(error, 'AbortPromptError')) throw error;
    return false;
  }
};

/** What a development server asks where somebody can answer. */
export function createDevQuestions(root: string, terminal: Terminal): DevQuestions {
  return {
    renames: async (candidates, signal) => {
      const named = nameRenames((await openProject(root)).model, candidates);
      return askRenames(named, async (question) => !signal.aborted && confirm(terminal, question, signal));
    },
    acceptsLoss: (_preview, signal) => confirm(terminal, 'Lose this data?', signal),
  };
}
