import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { isRecord } from '../../lib/records.js';

interface TransactionOptions {
  /** Milliseconds to wait until the transaction begins. */
  readonly maxWait: number;
  /** Milliseconds the transaction may take. */
  readonly timeout: number;
}

/** The part of a generated Prisma Client that the toolkit itself calls. */
export interface PrismaClientLike {
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
  $transaction<T>(work: (client: unknown) => Promise<T>, options: TransactionOptions): Promise<T>;
}

/** The module of a generated Prisma Client. */
export interface GeneratedClient {
  readonly PrismaClient: new (options: {
    readonly adapter: SqlDriverAdapterFactory;
    readonly errorFormat: 'minimal';
  }) => PrismaClientLike;
  readonly Prisma: Readonly<Record<string, unknown>>;
}

/** True if a module loaded from disk is a generated client. */
export function isGeneratedClient(value: unknown): value is GeneratedClient {
  return isRecord(value) && typeof value['PrismaClient'] === 'function' && isRecord(value['Prisma']);
}

/** The `provider` of a Prisma datasource. */
export type PrismaProvider = 'sqlite' | 'postgresql';
