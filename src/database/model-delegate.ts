import { lowerFirst } from '../lib/casing.js';

export type Row = Readonly<Record<string, unknown>>;

/** The part of a model delegate of the generated Prisma Client that the toolkit calls. */
export interface ModelDelegate {
  create(args: { readonly data: Row; readonly select?: Row }): Promise<Row>;
  createMany(args: { readonly data: readonly Row[] }): Promise<{ readonly count: number }>;
  findUnique(args: { readonly where: Row; readonly select?: Row }): Promise<Row | null>;
  findFirst(args: {
    readonly where?: Row;
    readonly select?: Row;
    readonly orderBy?: Row | readonly Row[];
  }): Promise<Row | null>;
  findMany(args: {
    readonly where?: Row;
    readonly select?: Row;
    readonly orderBy?: Row | readonly Row[];
    readonly take?: number;
    readonly skip?: number;
  }): Promise<readonly Row[]>;
  count(args: { readonly where?: Row }): Promise<number>;
  update(args: { readonly where: Row; readonly data: Row; readonly select?: Row }): Promise<Row>;
  updateMany(args: { readonly where: Row; readonly data: Row }): Promise<{ readonly count: number }>;
  upsert(args: { readonly where: Row; readonly create: Row; readonly update: Row }): Promise<Row>;
  delete(args: { readonly where: Row }): Promise<Row>;
  deleteMany(args: { readonly where: Row }): Promise<{ readonly count: number }>;
}

const isDelegate = (value: unknown): value is ModelDelegate =>
  typeof value === 'object' && value !== null && 'createMany' in value;

/** Returns the delegate of a model, which Prisma Client names with a lower-case first letter. */
export function delegateOf(client: unknown, model: string): ModelDelegate {
  const delegate: unknown =
    typeof client === 'object' && client !== null ? Reflect.get(client, lowerFirst(model)) : undefined;
  if (!isDelegate(delegate)) throw new TypeError(`The generated client has no model ${model}`);
  return delegate;
}

const METHODS: Readonly<Record<keyof ModelDelegate, true>> = {
  create: true,
  createMany: true,
  findUnique: true,
  findFirst: true,
  findMany: true,
  count: true,
  update: true,
  updateMany: true,
  upsert: true,
  delete: true,
  deleteMany: true,
};

const isMethod = (name: string | symbol): name is keyof ModelDelegate => Object.hasOwn(METHODS, name);

/** Creates a delegate whose methods all do `call`. */
export function createDelegate(
  call: (method: keyof ModelDelegate, args: unknown) => Promise<unknown>,
): ModelDelegate {
  const delegate = Object.fromEntries(
    Object.keys(METHODS)
      .filter(isMethod)
      .map((method) => [method, (args: unknown) => call(method, args)]),
  );
  return delegate as unknown as ModelDelegate;
}
