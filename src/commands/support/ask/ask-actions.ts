import type { ActionGroup } from '../../../access/actions.js';
import type { Ask } from '../prompts.js';
import type { Style } from '../style.js';

export interface ActionQuestion {
  readonly message: string;
  readonly groups: readonly ActionGroup[];
  readonly granted?: readonly string[];
  readonly required?: boolean;
  readonly style: Style;
}

/** Asks for actions in a grid, which is loaded only now that there is something to ask. */
export function askActions({ granted = [], ...question }: ActionQuestion): Ask<readonly string[]> {
  return async (_prompts, screen) => {
    const { actionGrid } = await import('./action-grid.js');
    return actionGrid({ granted, ...question }, screen);
  };
}
