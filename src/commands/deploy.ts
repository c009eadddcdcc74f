import { compareLocales, comparePermissions } from '../cli/access/access-files.js';
import type { FileChanges } from '../cli/access/access-files.js';
import { withAdministration } from '../cli/administration.js';
import { BaseCommand } from '../cli/base-command.js';
import { acceptDataLossFlag, acceptInvalidFlag, dryRunFlag } from '../cli/flags.js';
import { deployMigrations, previewMigrations } from '../cli/migrations/deploy-migrations.js';
import type { Outcome } from '../cli/outcome.js';
import { describeTarget } from '../cli/project/command-target.js';
import type { Administration } from '../api/administration/administration.js';
import { LOCALES_FILE, PERMISSIONS_FILE, loadAccessFiles } from '../project/access-files.js';
import type { AccessFiles } from '../project/access-files.js';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';

/** A file that the project has, and a function that compares it with the database. */
interface FileStep {
  readonly file: string;
  readonly compare: (api: Administration) => Promise<FileChanges>;
}

/** Returns the steps for the files of a project, in their order. */
const fileSteps = ({ locales, permissions }: AccessFiles): readonly FileStep[] =>
  [
    { file: LOCALES_FILE, text: locales, compare: compareLocales },
    { file: PERMISSIONS_FILE, text: permissions, compare: comparePermissions },
  ].flatMap(({ file, text, compare }) =>
    text === null ? [] : [{ file, compare: (api: Administration) => compare(api, { file, text }) }],
  );

/** The changes by a file. */
interface FileReport {
  readonly changed: boolean;
  readonly diff: string;
}

export default class Deploy extends BaseCommand<typeof Deploy> {
  static override summary = 'Prepare the database for this release (production).';
  static override description =
    'Applies pending migrations, then locales.yaml and permissions.yaml if the project has them. Changes ' +
    'nothing if the database is up to date. Instances that start at the same time may all run it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> --accept-data-loss',
  ];
  static override flags = { ...acceptDataLossFlag, ...acceptInvalidFlag, ...dryRunFlag };

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openProject(this.projectRoot, { command: this.command });
    this.info(await describeTarget(project));
    const steps = fileSteps(await loadAccessFiles(project));
    if (flags['dry-run']) return this.#preview(project, steps);
    const migrated = await deployMigrations(project, {
      ...this.messages,
      acceptsDataLoss: flags['accept-data-loss'],
      acceptsInvalid: flags['accept-invalid'],
      progress: (label, work) => this.progress(label, work),
    });
    const files = await this.#compareAll(project, steps, (changes) => this.#apply(changes));
    const changed = Object.keys(files).filter((file) => files[file]?.changed === true);
    return {
      json: { ...migrated.json, files },
      text: [...(migrated.text === '' ? [] : [migrated.text]), ...changed].join('\n'),
    };
  }

  async #preview(project: Project, steps: readonly FileStep[]): Promise<Outcome> {
    const { pending, json, text } = await previewMigrations(project);
    if (pending.length > 0) {
      const names = steps.map(({ file }) => file).join(' and ');
      if (names !== '') this.info(`${names} can be compared with the database after the migrations.`);
      return { json: { ...json, files: {} }, text };
    }
    const files = await this.#compareAll(project, steps, async () => undefined);
    const diffs = Object.values(files).map(({ diff }) => diff);
    return { json: { ...json, files }, text: diffs.filter((diff) => diff !== '').join('\n') };
  }

  async #apply({ diff, losses, apply }: FileChanges): Promise<void> {
    this.info(diff);
    await this.confirmDataLoss(losses);
    await apply();
  }

  /** Compares each file with the database, and calls `onChanges` for those that differ. */
  async #compareAll(
    project: Project,
    steps: readonly FileStep[],
    onChanges: (changes: FileChanges) => Promise<void>,
  ): Promise<Readonly<Record<string, FileReport>>> {
    if (steps.length === 0) return {};
    return withAdministration(project, this.messages.warn, async (api) => {
      const reports: Record<string, FileReport> = {};
      for (const { file, compare } of steps) {
        const changes = await compare(api);
        if (changes.diff !== '') await onChanges(changes);
        reports[file] = { changed: changes.diff !== '', diff: changes.diff };
      }
      return reports;
    });
  }
}
