import type { PrismaClientLike } from '../prisma/generated-client.js';
import type { DriverTransaction } from '../prisma/write-adapter.js';
import { delegateOf } from './model-delegate.js';
import type { ModelDelegate } from './model-delegate.js';

/** Longer than any transaction takes, since the client does not end this one. */
const TIMEOUTS = { maxWait: 60_000, timeout: 300_000 };

/** Prisma Client inside a transaction that it did not begin. */
export interface JoinedClient {
  /** The delegate of a model. The client joins the transaction when a method of it is first called. */
  readonly model: (name: string) => ModelDelegate;
  /** Call this before the transaction ends. Fails where the client could not join. */
  readonly leave: () => Promise<void>;
}

interface Participation {
  readonly client: Promise<unknown>;
  readonly leave: () => Promise<void>;
}

const join = (client: PrismaClientLike, transaction: DriverTransaction): Participation => {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  const joined = new Promise<unknown>((resolve, reject) => {
    ended = transaction.join(() =>
      client.$transaction(async (transactionClient) => {
        resolve(transactionClient);
        await left;
      }, TIMEOUTS),
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
export function createJoinedClient(client: PrismaClientLike, transaction: DriverTransaction): JoinedClient {
  let participation: Participation | undefined;
  return {
    model: (name) =>
      new Proxy(delegateOf(client, name), {
        get: (delegate, property, receiver) => {
          if (typeof Reflect.get(delegate, property, receiver) !== 'function')
            return Reflect.get(delegate, property, receiver);
          return async (...parameters: readonly unknown[]) => {
            participation ??= join(client, transaction);
            const joined = delegateOf(await participation.client, name);
            return Reflect.apply(Reflect.get(joined, property), joined, parameters);
          };
        },
      }),
    leave: async () => participation?.leave(),
  };
}
