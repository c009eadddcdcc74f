import * as v from 'valibot';
import { listLocales } from '../../access/locales.js';
import { isGranted } from '../../access/permissions/authorise.js';
import { createDocumentService } from '../../documents/create-document-service.js';
import { createRunTransaction } from '../../documents/document-context.js';
import type { Locales } from '../../documents/documents.js';
import { createReleases } from '../../documents/releases/releases.js';
import type { Releases } from '../../documents/releases/releases.js';
import { SCHEDULED_ACTIONS } from '../../documents/schedules/schedule-store.js';
import { createError } from '../../errors/catalogue.js';
import { DRY_RUN, FLAG, NO_INPUT, TEXT, operation } from './operation.js';
import type { AdministrationContext } from './operation.js';

const MAX_CHANGES = 1000;
const PUBLISH_TIMEOUT_MS = 600_000;

const NAMED = { name: TEXT };

const TARGET = { type: TEXT, documentId: TEXT, locale: v.exactOptional(TEXT) };

const listOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.array(schema), v.maxLength(MAX_CHANGES), v.readonly());

const localesOf = async ({ access }: AdministrationContext): Promise<Locales> => {
  const locales = await listLocales(access);
  const codes = new Set(locales.map(({ code }) => code));
  const defaultCode = locales.find(({ isDefault }) => isDefault)?.code ?? '';
  return { defaultCode: () => defaultCode, has: (code) => codes.has(code) };
};

interface ReleaseWork {
  /** True if project code runs, as for all writes of documents. Default: releases alone change. */
  readonly writesDocuments?: boolean;
  readonly isDryRun?: boolean | undefined;
}

/** Runs work with the releases, within the rights of the caller. A dry run never runs project code. */
const withReleases = async <T>(
  context: AdministrationContext,
  work: (releases: Releases) => Promise<T>,
  { writesDocuments = false, isDryRun = false }: ReleaseWork = {},
): Promise<T> => {
  const { grants, rights, withDocuments } = context;
  const { database, model } = context.access;
  const locales = await localesOf(context);
  const caller = {
    locales,
    log: isDryRun ? undefined : context.access.log,
    access: rights,
    assertMayUpdate: (type: string) => {
      if (!isGranted(grants, type, 'update')) throw createError('request/forbidden');
    },
  };
  if (writesDocuments && !isDryRun)
    return withDocuments(({ database: served, documents: hooked }) =>
      work(createReleases({ ...caller, model, database: served, documents: hooked })),
    );
  const documents = createDocumentService({ database, model, locales });
  const run = (): Promise<T> => work(createReleases({ ...caller, database, model, documents }));
  return isDryRun ? createRunTransaction(database)(run, { isDryRun }) : run();
};

/** Operations on releases. */
export const RELEASE_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List releases',
    input: NO_INPUT,
    run: (context) => withReleases(context, (releases) => releases.list()),
  }),
  get: operation({
    action: 'read',
    description: 'Read a release with its changes',
    input: v.strictObject(NAMED),
    run: (context, { name }) => withReleases(context, (releases) => releases.get(name)),
  }),
  check: operation({
    action: 'read',
    description: 'List the changes of a release that would fail',
    input: v.strictObject(NAMED),
    timeoutMs: PUBLISH_TIMEOUT_MS,
    run: (context, { name }) => withReleases(context, (releases) => releases.check(name), { isDryRun: true }),
  }),
  diff: operation({
    action: 'read',
    description: 'Compare the documents of a release with those published',
    input: v.strictObject(NAMED),
    run: (context, { name }) => withReleases(context, (releases) => releases.diff(name)),
  }),
  create: operation({
    action: 'write',
    description: 'Create a release',
    input: v.strictObject({ ...NAMED, ...DRY_RUN }),
    run: (context, { name, dryRun }) =>
      withReleases(context, (releases) => releases.create(name), { isDryRun: dryRun }),
  }),
  add: operation({
    action: 'write',
    description: 'Add documents to a release',
    input: v.strictObject({
      ...NAMED,
      changes: listOf(v.strictObject({ ...TARGET, action: v.picklist(SCHEDULED_ACTIONS) })),
      ...DRY_RUN,
    }),
    run: (context, { name, changes, dryRun }) =>
      withReleases(context, (releases) => releases.add(name, changes), { isDryRun: dryRun }),
  }),
  remove: operation({
    action: 'write',
    description: 'Remove documents from a release',
    input: v.strictObject({ ...NAMED, targets: listOf(v.strictObject(TARGET)), ...DRY_RUN }),
    run: (context, { name, targets, dryRun }) =>
      withReleases(context, (releases) => releases.remove(name, targets), { isDryRun: dryRun }),
  }),
  delete: operation({
    action: 'write',
    description: 'Delete a release, which changes no documents',
    input: v.strictObject({ ...NAMED, ...DRY_RUN }),
    run: (context, { name, dryRun }) =>
      withReleases(context, (releases) => releases.delete(name), { isDryRun: dryRun }),
  }),
  schedule: operation({
    action: 'write',
    description: 'Set or cancel the time at which a release is published',
    input: v.strictObject({
      ...NAMED,
      at: v.nullable(v.pipe(v.string(), v.isoTimestamp('it must be a time like 2026-12-01T09:00:00.000Z'))),
      ...DRY_RUN,
    }),
    run: (context, { name, at, dryRun }) =>
      withReleases(context, (releases) => releases.schedule(name, at === null ? null : new Date(at)), {
        isDryRun: dryRun,
      }),
  }),
  publish: operation({
    action: 'write',
    description: 'Publish all changes of a release in one transaction',
    input: v.strictObject({ ...NAMED, ...DRY_RUN }),
    timeoutMs: PUBLISH_TIMEOUT_MS,
    run: (context, { name, dryRun }) =>
      withReleases(context, (releases) => releases.publish(name), {
        writesDocuments: true,
        isDryRun: dryRun,
      }),
  }),
  revert: operation({
    action: 'write',
    description: 'Restore the versions that a release replaced, in one transaction',
    input: v.strictObject({ ...NAMED, isForced: v.optional(FLAG, false), ...DRY_RUN }),
    timeoutMs: PUBLISH_TIMEOUT_MS,
    run: (context, { name, isForced, dryRun }) =>
      withReleases(context, (releases) => releases.revert(name, { isForced }), {
        writesDocuments: true,
        isDryRun: dryRun,
      }),
  }),
};
