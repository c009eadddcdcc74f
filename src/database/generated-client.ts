import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { lowerFirst } from '../lib/casing.js';
import type { ModelDelegate } from './database.js';

interface TransactionOptions {
  /** Milliseconds to wait for the transaction to begin, and for it to end. */
  readonly maxWait: number;
  readonly timeout: number;
}

/** The part of a generated Prisma Client that the toolkit itself calls. */
export interface PrismaClientLike {
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
  $transaction<T>(work: (client: unknown) => Promise<T>, options: TransactionOptions): Promise<T>;
}

/** The module that generating the client has written. */
export interface GeneratedClient {
  readonly PrismaClient: new (options: { readonly adapter: SqlDriverAdapterFactory; readonly errorFormat: 'minimal' }) => PrismaClientLike;
  readonly Prisma: Readonly<Record<string, unknown>>;
}

const isDelegate = (value: unknown): value is ModelDelegate => typeof value === 'object' && value !== null && 'createMany' in value;

/** The delegate of a model; Prisma Client calls it after the model, but begins with a small letter. */
export function delegateOf(client: unknown, model: string): ModelDelegate {
  const delegate: unknown = typeof client === 'object' && client !== null ? Reflect.get(client, lowerFirst(model)) : undefined;
  if (!isDelegate(delegate)) throw new TypeError(`The generated client has no model ${model}`);
  return delegate;
}
