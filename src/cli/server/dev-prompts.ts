import type { DevPrompts } from '../../project/rebuild-app.js';
import { openProject } from '../../project/open-project.js';
import { previousModel } from '../../project/project-renames.js';
import { LOSS_QUESTION, INVALID_QUESTION } from '../migrations/confirm-impact.js';
import { promptRenames } from '../migrations/rename-candidates.js';
import { prompt } from '../prompts/prompt.js';
import { writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/**
 * Asks a question of the development server. The signal aborts it when a newer change makes the answer
 * useless. Ctrl-C at the question stops the server.
 */
const confirm = async (terminal: Terminal, message: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return await prompt(terminal, (prompts, screen) =>
      prompts.confirm({ message, default: false }, { ...screen, signal }),
    );
  } catch (error) {
    if (hasName(error, 'ExitPromptError')) process.kill(process.pid, 'SIGINT');
    else if (!hasName(error, 'AbortPromptError')) throw error;
    else writeText(terminal.stderr, 'The files have changed since, so this question is void.');
    return false;
  }
};

/** Creates the questions that a development server asks on a terminal. */
export function createDevPrompts(root: string, terminal: Terminal): DevPrompts {
  return {
    chooseRenames: async (candidates, signal) => {
      const project = await openProject(root);
      const models = { before: await previousModel(project), after: project.model };
      return promptRenames(
        models,
        candidates,
        async (question) => !signal.aborted && confirm(terminal, question, signal),
      );
    },
    confirmDataLoss: (signal) => confirm(terminal, LOSS_QUESTION, signal),
    confirmInvalid: (signal) => confirm(terminal, INVALID_QUESTION, signal),
  };
}
