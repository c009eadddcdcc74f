import type { ActionGroup } from '../../access/permissions/actions.js';
import type { Question } from './prompt.js';
import type { Style } from '../terminal/style.js';

export interface ActionPromptOptions {
  readonly message: string;
  readonly groups: readonly ActionGroup[];
  readonly granted?: readonly string[];
  readonly required?: boolean;
  readonly style: Style;
}

/** Asks for actions in a grid. Loads the grid only when it is shown. */
export function promptActions({
  granted = [],
  ...question
}: ActionPromptOptions): Question<readonly string[]> {
  return async (_prompts, screen) => {
    const { actionGrid } = await import('./action-grid.js');
    return actionGrid({ granted, ...question }, screen);
  };
}
