import type { ActionGroup } from '../../access/permissions/actions.js';
import type { Prompter } from './prompt.js';
import type { Style } from '../terminal/style.js';

export interface ActionPromptOptions {
  readonly message: string;
  readonly groups: readonly ActionGroup[];
  readonly granted?: readonly string[] | undefined;
  readonly required?: boolean;
  readonly style: Style;
}

/** Asks for actions in a grid. Loads the grid only when it is shown. */
export function askActions(
  prompter: Prompter,
  { granted = [], ...question }: ActionPromptOptions,
): Promise<readonly string[]> {
  return prompter(async (_prompts, screen) => {
    const { actionGrid } = await import('./action-grid.js');
    const ticked = Array.isArray(screen.previous) ? screen.previous.map(String) : granted;
    return actionGrid({ ...question, granted: ticked }, screen);
  });
}
