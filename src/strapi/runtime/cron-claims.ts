import type { ServerState } from '../../database/server-state.js';

/** Decides which of several servers runs a task that is due. */
export interface CronClaims {
  /** Returns whether this server runs the task. False: another one has already taken it. */
  readonly claim: (task: string, dueAt: Date) => Promise<boolean>;
}

const PREFIX = 'strapi/cron/';

/** Keeps in the database of all servers up to when a task was run. */
export function createCronClaims(state: ServerState): CronClaims {
  return {
    claim: async (task, dueAt) => {
      let isClaimed = false;
      await state.change(`${PREFIX}${task}`, (lastRun) => {
        const due = dueAt.toISOString();
        isClaimed = lastRun === null || lastRun < due;
        return isClaimed ? due : null;
      });
      return isClaimed;
    },
  };
}
