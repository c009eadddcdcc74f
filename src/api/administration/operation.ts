/**
 * The folder administration contains the operations on everything that a server stores apart from content.
 * Commands call them in this process, or by one endpoint each on a remote server. This file defines an
 * operation, and the results of the checks that operations run.
 */
import * as v from 'valibot';
import type { AccessContext, Grants } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { CmsAction } from '../../access/permissions/actions.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import type { DocumentService, DocumentTrash } from '../../documents/documents.js';
import type { Uid } from '../../model/model.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { WebhookRegistry } from '../webhooks/webhook-registry.js';

/** The outcome of one check of `cms doctor`. */
export interface Finding {
  /**
   * The name of the check, part of the JSON contract: `node`, `config`, `secrets`, `content-types`,
   * `database`, `drafts`, `replicas`, `values`, `reads`, `strapi`, `generated`, `uploads`, `images`,
   * `production`, `permissions`.
   */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** The action or the command that resolves the finding. */
  readonly remedy?: string;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** The checks to do by hand. */
  readonly checklist: readonly string[];
}

/** A possible index, with which reads of a shape would scan fewer rows. */
export interface IndexRemedy {
  readonly type: Uid;
  readonly attribute: string;
  /** Set for a full-text index. Absent for an index of the values. */
  readonly option?: 'search';
}

/** An index that speeds up reads of a shape, with times measured on a database. */
export interface IndexSuggestion extends IndexRemedy {
  /** Milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** The reads of one shape, and the best index for them. */
export interface ReadAdvice {
  /** `api::article.article filters[title][$eq] sort=views:desc` */
  readonly read: string;
  readonly calls: number;
  /** Milliseconds. */
  readonly ms: number;
  readonly maxMs: number;
  readonly suggestion: IndexSuggestion | null;
  /** The full-text indexes that would find its rows, without measurements. */
  readonly search: readonly IndexRemedy[];
}

/** The functions that examine a project where its files and its database are. */
interface ServerChecks {
  readonly examine: (isProduction: boolean) => Promise<Examination>;
  readonly suggestIndexes: () => Promise<readonly ReadAdvice[]>;
}

/** The services that create and change users. */
type UserContext = Pick<AccountContext, 'database' | 'model' | 'documents' | 'users'>;

/**
 * Runs work on deleted documents. `write` calls the project's hooks; `dryRun` calls none and rolls everything
 * back.
 */
type WithTrash = <T>(
  mode: 'read' | 'write' | 'dryRun',
  work: (trash: DocumentTrash) => Promise<T>,
) => Promise<T>;

/** The service that changes documents, and its database. */
interface DocumentsContext {
  readonly database: Database;
  readonly documents: DocumentService;
}

/** The dependencies of the operations. */
export interface AdministrationContext extends ServerChecks {
  readonly access: AccessContext;
  readonly config: Config;
  /** The address of the API. */
  readonly apiUrl: string;
  readonly webhooks: WebhookRegistry;
  /** The rights of the caller. */
  readonly grants: Grants;
  readonly withTrash: WithTrash;
  /** The content that the caller may read and write. Undefined: everything. */
  readonly rights: ReadAccess | undefined;
  /** Runs work that changes users, with the project's hooks. */
  readonly withUsers: <T>(work: (context: UserContext) => Promise<T>) => Promise<T>;
  /** Runs work that changes documents, with the project's hooks. */
  readonly withDocuments: <T>(work: (context: DocumentsContext) => Promise<T>) => Promise<T>;
}

/** An operation: its input and result are JSON. */
export interface Operation<Input, Result> {
  /** The action that a remote caller needs. Operations that require `read` change nothing. */
  readonly action: CmsAction;
  /** One phrase for the documentation of an API. */
  readonly description: string;
  readonly input: v.GenericSchema<unknown, Input>;
  readonly run: (context: AdministrationContext, input: Input) => Promise<Result>;
  /** Returns the name of the changed object, for the log. Absent: `run` logs its changes, or has none. */
  readonly targetOf?: (input: Input) => string;
  /** The milliseconds after which a remote caller stops waiting. Default: those of all requests. */
  readonly timeoutMs?: number;
}

/** Returns the operation, whose input has the type of its schema. */
export function operation<Schema extends v.GenericSchema, Result>(
  definition: Omit<Operation<v.InferOutput<Schema>, Result>, 'input'> & { readonly input: Schema },
): Operation<v.InferOutput<Schema>, Result> {
  return definition;
}

const MAX_TEXT_LENGTH = 10_000;
const MAX_ITEMS = 10_000;

export const TEXT = v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH));
export const FLAG = v.boolean();

export const TEXTS = v.pipe(v.array(TEXT), v.maxLength(MAX_ITEMS), v.readonly());

export const DRY_RUN = { dryRun: v.exactOptional(FLAG) };

export const NO_INPUT = v.strictObject({});
