import { Cron as Timer } from 'croner';
import type { CronOptions } from 'croner';
import type { ServerState } from '../../database/server-state.js';
import { isRecord } from '../../lib/records.js';
import type { Log } from './log.js';

/** The schedule of a task, in the form that croner takes. */
interface Schedule {
  readonly pattern: string | Date;
  readonly options: Pick<CronOptions, 'timezone' | 'startAt' | 'stopAt'>;
}

/** The fields of a rule that is written as an object, in the order of a cron pattern. */
const FIELDS = ['second', 'minute', 'hour', 'date', 'month', 'dayOfWeek'] as const;

const isTime = (value: unknown): value is Date | string => value instanceof Date || typeof value === 'string';

const printPart = (value: unknown, offset: number): string => {
  if (isRecord(value)) {
    const { start, end, step = 1 } = value;
    return `${Number(start) + offset}-${Number(end) + offset}/${Number(step)}`;
  }
  return String(Number(value) + offset);
};

const printField = (rule: Readonly<Record<string, unknown>>, field: (typeof FIELDS)[number]): string => {
  const value = rule[field] ?? null;
  // Without a second, a rule applies to the first one of each minute.
  if (value === null) return field === 'second' ? '0' : '*';
  const offset = field === 'month' ? 1 : 0;
  return (Array.isArray(value) ? value : [value]).map((part) => printPart(part, offset)).join(',');
};

const printRule = (rule: Readonly<Record<string, unknown>>): string => {
  if (!FIELDS.some((field) => (rule[field] ?? null) !== null))
    throw new TypeError(`the rule needs one of ${FIELDS.join(', ')}`);
  return FIELDS.map((field) => printField(rule, field)).join(' ');
};

const patternOf = (rule: unknown): string | Date => {
  if (isTime(rule)) return rule;
  if (typeof rule === 'object' && rule !== null) return printRule({ ...rule });
  throw new TypeError(`${String(rule)} is not a cron expression`);
};

/**
 * Parses the forms of a schedule in code written for Strapi: an expression of five or six fields, a date, an
 * object of fields (`{hour: 1, minute: 0}`), or these as `rule` with `tz`, `start` and `end`.
 */
function parseSchedule(options: unknown): Schedule {
  if (!isRecord(options) || !Object.hasOwn(options, 'rule'))
    return { pattern: patternOf(options), options: {} };
  const { rule, tz, start, end } = options;
  return {
    pattern: patternOf(rule),
    options: {
      ...(typeof tz === 'string' ? { timezone: tz } : {}),
      ...(isTime(start) ? { startAt: start } : {}),
      ...(isTime(end) ? { stopAt: end } : {}),
    },
  };
}

/** Assigns each due task to one of several servers. */
interface CronClaims {
  /** Resolves to true if this server runs the task, false if another one does. */
  readonly claim: (task: string, dueAt: Date) => Promise<boolean>;
}

const PREFIX = 'strapi/cron/';

/** Creates claims that store the last run of each task in the database. */
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

type Task = (tools: { readonly strapi: unknown }, firedAt?: Date) => unknown;

/** A task with its schedule, in `strapi.cron.jobs`. */
interface CronJob {
  readonly name: string | null;
  readonly options: unknown;
  readonly job: {
    /** Runs the task now, in this process. */
    readonly invoke: () => Promise<void>;
    readonly nextInvocation: () => Date | null;
    readonly cancel: () => void;
  };
}

/** `strapi.cron`: scheduled tasks. */
export interface Cron {
  readonly jobs: readonly CronJob[];
  /** Adds tasks: by name as `{task, options}`, or by cron expression as a function. */
  readonly add: (tasks?: Readonly<Record<string, unknown>>) => Cron;
  readonly remove: (name: string) => Cron;
  readonly start: () => Cron;
  readonly stop: () => Cron;
  readonly destroy: () => Cron;
}

export interface CronDependencies {
  readonly strapi: unknown;
  readonly log: Log;
  readonly claims: CronClaims;
}

interface ParsedTask {
  readonly name: string | null;
  readonly options: unknown;
  readonly run: Task;
}

const parseTask = (key: string, value: unknown): ParsedTask => {
  if (typeof value === 'function')
    return { name: null, options: key, run: (...tools) => Reflect.apply(value, undefined, tools) };
  const task: unknown = isRecord(value) ? value['task'] : undefined;
  if (!isRecord(value) || typeof task !== 'function')
    throw new TypeError(`The cron task ${key} has no function: write {task, options} or a function.`);
  return { name: key, options: value['options'], run: (...tools) => Reflect.apply(task, value, tools) };
};

/** Creates one job, which runs after it is started. */
const createJob = ({ name, options, run }: ParsedTask, { strapi, log, claims }: CronDependencies) => {
  const label = name ?? String(options);
  let timer: Timer | null = null;
  const invoke = async (firedAt = new Date()): Promise<void> => {
    try {
      await run({ strapi }, firedAt);
    } catch (error) {
      log.error({ err: error }, `Cron task ${label} failed`);
    }
  };
  const invokeOnce = async (dueAt: Date): Promise<void> => {
    const isClaimed = await claims.claim(label, dueAt).catch((error: unknown) => {
      log.error({ err: error }, `Cron task ${label} could not be started`);
      return false;
    });
    if (isClaimed) await invoke(dueAt);
  };
  return {
    name,
    options,
    start: (): void => {
      if (timer !== null) return;
      try {
        const { pattern, options: timerOptions } = parseSchedule(options);
        let dueAt: Date | null = null;
        timer = new Timer(pattern, { ...timerOptions, unref: true }, async (self) => {
          const due = dueAt ?? new Date();
          dueAt = self.nextRun();
          await invokeOnce(due);
        });
        dueAt = timer.nextRun();
      } catch (error) {
        log.error({ err: error }, `Cron task ${label} never runs`);
      }
    },
    stop: (): void => {
      timer?.stop();
      timer = null;
    },
    job: {
      invoke: () => invoke(),
      nextInvocation: (): Date | null => timer?.nextRun() ?? null,
      cancel: (): void => timer?.stop(),
    },
  };
};

/** Creates the cron service of an application, which runs after it is started. */
export function createCron(dependencies: CronDependencies): Cron {
  const jobs: ReturnType<typeof createJob>[] = [];
  let isRunning = false;
  const stop = (): Cron => {
    for (const job of jobs) job.stop();
    isRunning = false;
    return cron;
  };
  const cron: Cron = {
    jobs,
    add: (tasks = {}) => {
      for (const [key, value] of Object.entries(tasks)) {
        const job = createJob(parseTask(key, value), dependencies);
        jobs.push(job);
        if (isRunning) job.start();
      }
      return cron;
    },
    remove: (name) => {
      if (!name) throw new TypeError('strapi.cron.remove needs the name of a task.');
      const removed = jobs.filter((job) => job.name === name);
      for (const job of removed) {
        job.stop();
        jobs.splice(jobs.indexOf(job), 1);
      }
      return cron;
    },
    start: () => {
      isRunning = true;
      for (const job of jobs) job.start();
      return cron;
    },
    stop,
    destroy: () => {
      stop();
      jobs.length = 0;
      return cron;
    },
  };
  return cron;
}
