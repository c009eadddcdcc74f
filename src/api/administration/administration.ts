import * as v from 'valibot';
import type { CmsResource } from '../../access/permissions/actions.js';
import { kebabCase } from '../../lib/names.js';
import { isRecord } from '../../lib/records.js';
import { invalidParameter } from '../../query/read-context.js';
import {
  LOCALE_OPERATIONS,
  PERMISSION_OPERATIONS,
  ROLE_OPERATIONS,
  TOKEN_OPERATIONS,
} from './access-operations.js';
import { LOG_OPERATIONS } from './log-operations.js';
import type { AdministrationContext, Operation } from './operation.js';
import { RELEASE_OPERATIONS } from './release-operations.js';
import { CHECK_OPERATIONS, PROVIDER_OPERATIONS } from './server-operations.js';
import { TRASH_OPERATIONS } from './trash-operations.js';
import { USER_OPERATIONS } from './user-operations.js';
import { WEBHOOK_OPERATIONS } from './webhook-operations.js';

const RESOURCES = {
  tokens: TOKEN_OPERATIONS,
  roles: ROLE_OPERATIONS,
  permissions: PERMISSION_OPERATIONS,
  users: USER_OPERATIONS,
  locales: LOCALE_OPERATIONS,
  providers: PROVIDER_OPERATIONS,
  webhooks: WEBHOOK_OPERATIONS,
  releases: RELEASE_OPERATIONS,
  checks: CHECK_OPERATIONS,
  trash: TRASH_OPERATIONS,
  log: LOG_OPERATIONS,
} as const satisfies Record<CmsResource, object>;

type Resources = typeof RESOURCES;

type Call<T> = T extends Operation<infer Input, infer Result> ? (input: Input) => Promise<Result> : never;

/** Everything that a server stores apart from content, as commands read and change it. */
export type Administration = {
  readonly [Name in keyof Resources]: {
    readonly [Key in keyof Resources[Name]]: Call<Resources[Name][Key]>;
  };
};

/** An operation with its names. */
export interface NamedOperation extends Operation<unknown, unknown> {
  readonly resource: CmsResource;
  /** `tokens.create` */
  readonly id: string;
  /** The path of its endpoint below the prefix of the API: `/cms/tokens/create`. */
  readonly path: string;
}

const named = (resource: string, name: string, definition: unknown): NamedOperation => ({
  ...(definition as Operation<unknown, unknown>),
  resource: resource as CmsResource,
  id: `${resource}.${name}`,
  path: `/cms/${resource}/${kebabCase(name)}`,
});

/** All operations. */
export const ADMINISTRATION_OPERATIONS: readonly NamedOperation[] = Object.entries(RESOURCES).flatMap(
  ([resource, operations]) =>
    Object.entries(operations).map(([name, definition]) => named(resource, name, definition)),
);

/** Creates the interface of commands from a function that runs an operation. */
export function createAdministration(
  call: (operation: NamedOperation, input: unknown) => Promise<unknown>,
): Administration {
  const resources = Object.entries(RESOURCES).map(([resource, operations]) => [
    resource,
    Object.fromEntries(
      Object.entries(operations).map(([name, definition]) => {
        const operation = named(resource, name, definition);
        return [name, (input: unknown) => call(operation, input)];
      }),
    ),
  ]);
  return Object.fromEntries(resources) as Administration;
}

/** Runs an operation, and logs it in the transaction of its changes unless it is a dry run. */
const runLogged = async (
  { id, run, targetOf }: NamedOperation,
  context: AdministrationContext,
  input: unknown,
): Promise<unknown> => {
  const { database, log } = context.access;
  const isDryRun = isRecord(input) && input['dryRun'] === true;
  if (targetOf === undefined || log === undefined || isDryRun) return run(context, input);
  return database.transact((tx) =>
    database.join(tx, async () => {
      const result = await run(context, input);
      await log.record(tx, [{ action: id, target: targetOf(input) }]);
      return result;
    }),
  );
};

/** Returns the operations on the database of a project or a server. */
export function localAdministration(context: AdministrationContext): Administration {
  return createAdministration((operation, input) => runLogged(operation, context, input));
}

/**
 * Checks the input of a remote caller and runs an operation. Returns its result, which is JSON.
 *
 * @throws `request/invalid-parameter`, and the errors of the operation
 */
export async function runOperation(
  operation: NamedOperation,
  context: AdministrationContext,
  body: unknown,
): Promise<unknown> {
  const checked = v.safeParse(operation.input, body);
  if (checked.success) return runLogged(operation, context, checked.output);
  const [issue] = checked.issues;
  throw invalidParameter(v.getDotPath(issue) ?? 'body', `${issue.message}.`);
}
