import type { Uid } from '../../model/model.js';

const SUBJECTS = [
  'Create',
  'CreateMany',
  'Update',
  'UpdateMany',
  'Delete',
  'DeleteMany',
  'FindOne',
  'FindMany',
  'Count',
] as const;
type Subject = (typeof SUBJECTS)[number];
type LifecycleAction = `${'before' | 'after'}${Subject}`;

/** The subjects whose listeners slow down reads. */
export const READ_SUBJECTS = ['FindOne', 'FindMany', 'Count'] as const satisfies readonly Subject[];

/** The subjects of single-row writes. */
export const ROW_SUBJECTS = ['Create', 'Update', 'Delete'] as const satisfies readonly Subject[];

/** The event that a listener receives. Changes to `params` before a write or read apply to that operation. */
interface LifecycleEvent {
  readonly action: LifecycleAction;
  /** The content-type, in the form of `strapi.db.metadata`. */
  readonly model: Readonly<Record<string, unknown>> & { readonly uid: Uid };
  readonly params: Record<string, unknown>;
  result?: unknown;
  /** The state that the listener of a `before` action stores for the listener of the `after` action. */
  readonly state: Record<string, unknown>;
}

type Listener = (event: LifecycleEvent) => unknown;

/** A function that gets every event, or an object of listeners, limited to `models` if set. */
type LifecycleSubscriber =
  | Listener
  | ({ readonly models?: readonly Uid[] } & { readonly [Action in LifecycleAction]?: Listener });

/** The states that `before` listeners have stored, by subscriber. */
export type LifecycleStates = Map<LifecycleSubscriber, Record<string, unknown>>;

interface LifecycleRun {
  readonly params: Record<string, unknown>;
  readonly result?: unknown;
}

/** `strapi.db.lifecycles` */
export interface Lifecycles {
  /** Returns a function that ends the subscription. */
  readonly subscribe: (subscriber: LifecycleSubscriber) => () => void;
  readonly clear: () => void;
  readonly disable: () => void;
  readonly enable: () => void;
  readonly isLifecycleHooksDisabled: () => boolean;
  /** True if the type has a listener for one of the subjects. */
  readonly has: (uid: Uid, ...subjects: readonly Subject[]) => boolean;
  readonly run: (
    action: LifecycleAction,
    uid: Uid,
    run: LifecycleRun,
    states?: LifecycleStates,
  ) => Promise<LifecycleStates>;
}

interface LifecyclesOptions {
  readonly modelOf: (uid: Uid) => LifecycleEvent['model'];
}

const modelsOf = (subscriber: LifecycleSubscriber): readonly Uid[] | undefined =>
  typeof subscriber === 'function' ? undefined : subscriber.models;

const listenerOf = (
  subscriber: LifecycleSubscriber,
  action: LifecycleAction,
  uid: Uid,
): Listener | undefined => {
  if (typeof subscriber === 'function') return subscriber;
  if (subscriber.models !== undefined && !subscriber.models.includes(uid)) return undefined;
  const listener = subscriber[action];
  return typeof listener === 'function' ? listener.bind(subscriber) : undefined;
};

const hasListener = (subscriber: LifecycleSubscriber, subjects: readonly Subject[]): boolean =>
  typeof subscriber === 'function' ||
  subjects.some(
    (subject) => subscriber[`before${subject}`] !== undefined || subscriber[`after${subject}`] !== undefined,
  );

/** Creates the registry of lifecycle listeners. */
export function createLifecycles({ modelOf }: LifecyclesOptions): Lifecycles {
  const subscribers = new Set<LifecycleSubscriber>();
  let isEnabled = true;
  return {
    subscribe: (subscriber) => {
      if (typeof subscriber !== 'function' && typeof subscriber !== 'object')
        throw new TypeError('A lifecycle subscriber is a function or an object of functions.');
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    clear: () => subscribers.clear(),
    disable: () => {
      isEnabled = false;
    },
    enable: () => {
      isEnabled = true;
    },
    isLifecycleHooksDisabled: () => !isEnabled,
    has: (uid, ...subjects) =>
      isEnabled &&
      subscribers.size > 0 &&
      [...subscribers].some(
        (subscriber) => (modelsOf(subscriber)?.includes(uid) ?? true) && hasListener(subscriber, subjects),
      ),
    run: async (action, uid, run, states = new Map()) => {
      if (!isEnabled) return states;
      for (const subscriber of subscribers) {
        const listener = listenerOf(subscriber, action, uid);
        if (listener === undefined) continue;
        const state = states.get(subscriber) ?? {};
        states.set(subscriber, state);
        await listener({ action, model: modelOf(uid), state, ...run });
      }
      return states;
    },
  };
}

/** Subscribes the listeners that the lifecycles file of a content-type exports. */
export function subscribeModule({ subscribe }: Lifecycles, uid: Uid, exported: unknown): void {
  if (typeof exported === 'object' && exported !== null) subscribe({ ...exported, models: [uid] });
}
