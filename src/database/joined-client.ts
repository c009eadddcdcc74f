import type { PrismaClientLike } from './prisma/generated-client.js';
import type { DriverTransaction } from './prisma/write-adapter.js';
import { createDelegate, delegateOf } from './model-delegate.js';
import type { ModelDelegate } from './model-delegate.js';

/** Longer than any transaction takes, since the client does not end this one. */
const TIMEOUTS = { maxWait: 60_000, timeout: 300_000 };

/** Prisma Client inside a transaction that it did not begin. */
export interface JoinedClient {
  /** The delegate of a model. The client is loaded and joins when a method of it is first called. */
  readonly model: (name: string) => ModelDelegate;
  /** Call this before the transaction ends. Fails where the client could not join. */
  readonly leave: () => Promise<void>;
}

interface Participation {
  readonly client: Promise<unknown>;
  readonly leave: () => Promise<void>;
}

type LoadClient = () => Promise<PrismaClientLike>;

const join = (loadClient: LoadClient, transaction: DriverTransaction): Participation => {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  const joined = new Promise<unknown>((resolve, reject) => {
    ended = loadClient().then((client) =>
      transaction.join(() =>
        client.$transaction(async (transactionClient) => {
          resolve(transactionClient);
          await left;
        }, TIMEOUTS),
      ),
    );
    ended.catch(reject);
  });
  return {
    client: joined,
    leave: () => {
      leave();
      return ended;
    },
  };
};

/**
 * Lets Prisma Client join a transaction once a model of it is used. Most writes use none, and a transaction
 * of the client costs more than their statements.
 */
export function createJoinedClient(loadClient: LoadClient, transaction: DriverTransaction): JoinedClient {
  let participation: Participation | undefined;
  const call = async (name: string, method: keyof ModelDelegate, args: unknown): Promise<unknown> => {
    participation ??= join(loadClient, transaction);
    const delegate = delegateOf(await participation.client, name);
    return Reflect.apply(delegate[method], delegate, [args]);
  };
  return {
    model: (name) => createDelegate((method, args) => call(name, method, args)),
    leave: async () => participation?.leave(),
  };
}
