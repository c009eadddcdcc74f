import { dirname } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { writeGenerated } from '../project/generated-files.js';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';
import { databaseKindOf } from '../config/database-url.js';
import { findProjectRoot } from '../config/project-root.js';
import { TEMPLATES, composeProject, createProject } from '../project/scaffold/new-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { dryRunFlag } from '../cli/flags.js';
import {
  DATABASES,
  chooseProject,
  describeInterruption,
  installPackages,
  printNewFiles,
  nextSteps,
  setUpProject,
} from '../cli/project/project-setup.js';
import type { ProjectChoice, ProjectSetup } from '../cli/project/project-setup.js';
import {
  createFromStrapi,
  describeInterruptedMove,
  describeStrapiMove,
  hasStrapiContent,
  importStrapiContent,
  migrateNewProject,
  planStrapiMove,
} from '../cli/project/from-strapi.js';
import type { StrapiMove } from '../cli/project/from-strapi.js';
import { reportInterruption } from '../cli/terminal/signals.js';
import type { ImportPlan } from '../transfer/import/plan-import.js';
import { printImport } from '../cli/import/describe-import.js';
import { messageOf } from '../lib/caught-errors.js';
import type { Outcome } from '../cli/outcome.js';
import { secretFlags } from '../cli/prompts/secret.js';

/** The outcome of moving a Strapi project. */
interface FinishedMove {
  readonly plan: ImportPlan | undefined;
  readonly setup: ProjectSetup;
  readonly isMigrated: boolean;
}

export default class New extends BaseCommand<typeof New> {
  static override description = 'Create a project.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> my-site',
    '<%= config.bin %> <%= command.id %> my-blog --template blog --yes',
    '<%= config.bin %> <%= command.id %> my-site --from-strapi old-site --yes',
    'echo "$URL" | <%= config.bin %> <%= command.id %> my-site --database postgresql --database-url -',
  ];
  static override args = {
    dir: Args.string({ description: 'Folder of the project. It must be empty or not exist.' }),
  };
  static override flags = {
    template: Flags.string({ options: [...TEMPLATES], description: 'Template of the project.' }),
    'from-strapi': Flags.string({
      description: 'Strapi 5 project to copy content-types, code, configuration and content from.',
      helpValue: '<folder>',
      exclusive: ['template'],
    }),
    ...secretFlags('from-database', 'Database of the Strapi project to import content from.'),
    content: Flags.string({
      description: 'Export of the Strapi project to import content from. [default: its SQLite database]',
      helpValue: '<export>',
      exclusive: ['from-database', 'from-database-file'],
    }),
    database: Flags.string({ options: [...DATABASES], description: 'Kind of database.' }),
    ...secretFlags('database-url', 'URL of the database: file:./data.db or postgresql://…'),
    install: Flags.boolean({ allowNo: true, default: true, description: 'Install packages.' }),
    closed: Flags.boolean({
      default: false,
      description: 'Disable sign-in and sign-up until they are granted, unlike Strapi.',
    }),
    git: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Initialize a git repository and commit the files.',
    }),
    ...dryRunFlag,
  };
  static override completion = { dir: 'path', 'from-strapi': 'path', content: 'path' } as const;

  async run(): Promise<Outcome> {
    const { 'from-strapi': strapi, ...flags } = this.flags;
    const choice = await chooseProject(
      (flow) => this.ask(flow),
      { terminal: this.terminal, flags: strapi === undefined ? flags : { ...flags, template: 'blank' } },
      this.args.dir,
    );
    return strapi === undefined ? this.#createFromTemplate(choice) : this.#createFromStrapi(choice, strapi);
  }

  async #createFromTemplate(choice: ProjectChoice): Promise<Outcome> {
    const { dir, root, template, databaseUrl } = choice;
    const files = await composeProject({ root, template, databaseUrl, closed: this.flags.closed });
    const summary = {
      path: root,
      template,
      database: databaseKindOf(databaseUrl),
      files: files.map((file) => file.path),
    };
    if (this.flags['dry-run']) return { json: { ...summary, dryRun: true }, text: printNewFiles(files) };
    this.#warnIfInsideProject(root);
    await createProject(root, files);
    await writeGenerated(await openProject(root));
    const setup = await reportInterruption(
      () => this.info(describeInterruption(this.terminal, choice)),
      () => this.#setUp(root),
    );
    this.info(nextSteps(this.terminal, dir, { template, installed: setup.installed }));
    return { json: { ...summary, ...setup }, text: root };
  }

  async #createFromStrapi({ dir, root, databaseUrl }: ProjectChoice, folder: string): Promise<Outcome> {
    const target = { root, databaseUrl, closed: this.flags.closed };
    const move = await planStrapiMove(this.terminal, folder, target);
    const summary = {
      path: root,
      strapi: move.source.folder,
      database: databaseKindOf(databaseUrl),
      files: move.files.map((file) => file.path),
      folders: move.folders.map(({ name }) => name),
      leftOut: move.leftOut,
    };
    if (this.flags['dry-run']) return { json: { ...summary, dryRun: true }, text: printNewFiles(move.files) };
    this.#warnIfInsideProject(root);
    const done = await reportInterruption(
      () => this.info(describeInterruptedMove({ root })),
      () => this.#moveFromStrapi(root, move),
    );
    this.info(
      describeStrapiMove(this.terminal, dir, move, {
        installed: done.setup.installed,
        migrated: done.isMigrated,
        imported: done.plan !== undefined,
      }),
    );
    return { json: { ...summary, ...done.setup, imported: done.plan ?? null }, text: root };
  }

  /** Writes the project, imports its content and installs its packages. */
  async #moveFromStrapi(root: string, move: StrapiMove): Promise<FinishedMove> {
    let isInstalled = false;
    const install = async (): Promise<void> => {
      await this.progress('Installing packages', () => installPackages(this.terminal, root));
      isInstalled = true;
    };
    const project = await createFromStrapi(root, move, this.flags.install ? install : undefined);
    if (project === undefined)
      this.warn('config/ imports packages that are not installed, so the database is not created yet.');
    const plan = project === undefined ? undefined : await this.#fillFromStrapi(project, move);
    const setup = await this.#setUp(root, { ...this.flags, install: this.flags.install && !isInstalled });
    const installed = isInstalled || setup.installed;
    return { plan, setup: { ...setup, installed }, isMigrated: project !== undefined };
  }

  /** Creates the tables, and imports the content where there is any. */
  async #fillFromStrapi(project: Project, move: StrapiMove): Promise<ImportPlan | undefined> {
    for (const { file, line, message } of project.warnings) this.warn(`${file}:${line} ${message}`);
    await this.progress('Migrating', () => migrateNewProject(project));
    const { flags, terminal, prompter } = this;
    const onError = (error: unknown): unknown => this.warn(messageOf(error));
    const plan = hasStrapiContent(move, flags)
      ? await this.progress('Importing', () =>
          importStrapiContent(project, move, { terminal, prompter, flags }, onError),
        )
      : undefined;
    if (plan !== undefined) this.info(printImport(plan, this.styleOn(terminal.stderr)));
    return plan;
  }

  #warnIfInsideProject(root: string): void {
    const surroundingProject = findProjectRoot(dirname(root));
    if (surroundingProject !== undefined)
      this.warn(
        `${root} is inside the project ${surroundingProject}. Commands that run in one do not see the other.`,
      );
  }

  #setUp(root: string, flags: Parameters<typeof setUpProject>[2] = this.flags): Promise<ProjectSetup> {
    return setUpProject(this.terminal, root, flags, (label, work) => this.progress(label, work));
  }
}
