import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { exportContent } from '../project/archives/export-content.js';
import { importContent } from '../project/archives/import-content.js';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { importLosses, printImport } from '../cli/import/describe-import.js';
import { importFlags, toContentSelection, toImportOptions } from '../cli/import/import-flags.js';
import { importOnRemote, runPlanned, writeMissingSchemas } from '../cli/import/run-import.js';
import type { Outcome } from '../cli/outcome.js';
import { describeTarget, openRemote } from '../cli/project/command-target.js';
import { createError } from '../errors/catalogue.js';
import { OWNER_ONLY_FOLDER } from '../lib/files.js';
import { messageOf } from '../lib/caught-errors.js';
import { fetchArchive, toArchiveParts } from '../transfer/remote/archives.js';
import type { RemoteAccess } from '../transfer/remote/send.js';
import { openArchive } from '../transfer/archive/open-archive.js';
import { verifyFetchedArchive } from '../transfer/archive/manifest.js';
import type { ImportPlan } from '../transfer/import/plan-import.js';
import type { ContentSource } from '../transfer/source.js';

/** The target of a transfer, with the plan and the function that runs it once it is accepted. */
interface Target {
  readonly description: string;
  readonly plan: ImportPlan;
  readonly run: () => Promise<unknown>;
}

export default class Transfer extends BaseCommand<typeof Transfer> {
  static override summary = 'Copy content and files between a remote server and this project.';
  static override description =
    'The server must allow transfers (transfer.enabled), and its token needs full access. Documents ' +
    'are matched by documentId: existing ones are replaced, others stay unchanged. Prints the plan ' +
    'and asks for confirmation before it writes. Fetched data is kept until it is imported; run an ' +
    'interrupted transfer again to continue it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from production --dry-run',
    '<%= config.bin %> <%= command.id %> --from production --type article --exclude config --yes',
  ];
  static override flags = {
    from: Flags.string({ description: 'Remote to copy from. [default: this project]' }),
    to: Flags.string({ description: 'Remote to copy to. [default: this project]' }),
    only: importFlags.only,
    exclude: importFlags.exclude,
    type: importFlags.type,
    'exclude-type': importFlags['exclude-type'],
    existing: Flags.string({
      options: ['replace', 'skip', 'refuse'],
      default: 'replace',
      description: 'Treatment of documents that already exist.',
    }),
    schemas: importFlags.schemas,
    restart: Flags.boolean({ description: 'Start over after an interrupted transfer.' }),
    'accept-data-loss': importFlags['accept-data-loss'],
    'dry-run': importFlags['dry-run'],
  };
  static override completion = {
    from: 'remote',
    to: 'remote',
    type: 'type',
    'exclude-type': 'type',
  } as const;

  /** True if something may have been written. */
  #isBegun = false;

  async run(): Promise<Outcome> {
    const { from, to } = this.flags;
    if (from === to)
      throw createError('cli/invalid-usage', {
        reason:
          from === undefined
            ? 'Neither --from nor --to names a remote.'
            : '--from and --to name the same remote.',
        remedy: 'Name one remote with --from or --to; list remotes with: cms remote list',
      });
    if (to !== undefined && this.flags.schemas)
      throw createError('cli/invalid-usage', {
        reason: '--schemas writes files of a project, which a remote server does not accept.',
        remedy: 'Omit --schemas, and deploy the schema files there: cms migrate deploy',
      });
    const project = await openProject(this.projectRoot, { command: this.command });
    const [source, target] = [await this.#remote(from), await this.#remote(to)];
    const archive = this.#archiveFile(project);
    const resumes = existsSync(archive) && !this.flags.restart;
    if (resumes) this.info('Resuming with the data fetched before. Use --restart to fetch it again.');
    else await this.#fetch(project, source, archive);
    try {
      const outcome = await (target === null
        ? this.#importHere(project.root, archive)
        : this.#importThere(target, archive));
      if (!this.flags['dry-run'] || !resumes) await rm(archive, { force: true });
      return outcome;
    } catch (error) {
      if (!this.#isBegun && !resumes) await rm(archive, { force: true });
      throw error;
    }
  }

  #remote(name: string | undefined): Promise<RemoteAccess> | null {
    return name === undefined ? null : openRemote(this.projectRoot, name, this.messages);
  }

  /** Path of the archive, which is kept until its import is complete. */
  #archiveFile({ root }: Project): string {
    const { from = 'here', to = 'here' } = this.flags;
    return join(root, '.galley', 'transfers', `${from}.${to}.tar.gz`);
  }

  async #fetch(project: Project, source: RemoteAccess | null, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const selection = toContentSelection(this.flags, project.model);
    const label = source === null ? 'Exporting' : `Fetching from ${source.name}`;
    await this.progress(label, async ({ update }) => {
      if (source !== null) {
        await fetchArchive(source, toArchiveParts(selection), {
          path,
          onProgress: update,
          verify: verifyFetchedArchive,
        });
        return;
      }
      await exportContent(
        project,
        path,
        { form: 'galley', isCompressed: true, key: null, ...selection },
        update,
      );
    });
  }

  async #importHere(root: string, path: string): Promise<Outcome> {
    const { flags } = this;
    const source = await openArchive(path, root, undefined, `the content of ${flags.from ?? ''}`);
    try {
      const isDryRun = flags['dry-run'];
      const schemas = flags.schemas ? await this.#writeSchemas(source) : [];
      if (isDryRun && schemas.length > 0)
        return { json: { schemas, dryRun: true }, text: `Would write first:\n${schemas.join('\n')}` };
      const project = await openProject(this.projectRoot, { command: this.command });
      const request = {
        source,
        options: toImportOptions(flags, project.model),
        restarts: flags.restart,
        onError: (error: unknown) => this.warn(messageOf(error)),
      };
      return await importContent(project, request, async ({ plan, run }) =>
        this.#carryOut({
          description: await describeTarget(project),
          plan,
          run: () => this.progress('Importing', (progress) => runPlanned(run, progress)),
        }),
      );
    } finally {
      await source.close();
    }
  }

  #writeSchemas(source: ContentSource): Promise<readonly string[]> {
    return writeMissingSchemas(this.projectRoot, source, {
      isDryRun: this.flags['dry-run'],
      confirm: (question) => this.confirm(question),
      info: (message) => this.info(message),
    });
  }

  async #importThere(target: RemoteAccess, path: string): Promise<Outcome> {
    const { existing, restart: restarts } = this.flags;
    const send = (isDryRun: boolean): Promise<ImportPlan> =>
      this.progress(isDryRun ? `Contacting ${target.name}` : `Importing to ${target.name}`, ({ update }) =>
        importOnRemote(target, path, {
          parts: null,
          types: null,
          excludedTypes: [],
          existing,
          isDryRun,
          restarts,
          onProgress: update,
        }),
      );
    const plan = await send(true);
    return this.#carryOut({
      description: `Remote ${target.name}, ${target.url}`,
      plan,
      run: () => send(false),
    });
  }

  async #carryOut({ description, plan, run }: Target): Promise<Outcome> {
    const { flags, terminal } = this;
    const outcome = { json: { ...plan, dryRun: flags['dry-run'] }, text: printImport(plan, this.style) };
    if (flags['dry-run']) return outcome;
    this.info(description);
    if (this.canPrompt) this.info(printImport(plan, this.styleOn(terminal.stderr)));
    await this.confirmDataLoss(importLosses(plan));
    await this.confirm('Transfer this?');
    this.#isBegun = true;
    await run();
    return this.canPrompt ? { json: outcome.json } : outcome;
  }
}
