import { dirname } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { writeGenerated } from '../app/generated-files.js';
import { openProject } from '../app/open-project.js';
import { findProjectRoot } from '../config/find-project-root.js';
import { composeProject, createProject } from '../scaffold/new-project.js';
import { TEMPLATES } from '../scaffold/template.js';
import { BaseCommand } from '../cli/base-command.js';
import { dryRunFlag } from '../cli/arguments/flags.js';
import {
  DATABASES,
  chooseProject,
  printNewFiles,
  nextSteps,
  setUpProject,
} from '../cli/project/project-setup.js';
import type { Outcome } from '../cli/outcome.js';
import { secretFlags } from '../cli/prompts/secret.js';

export default class New extends BaseCommand<typeof New> {
  static override description = 'Create a project.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> my-site',
    '<%= config.bin %> <%= command.id %> my-blog --template blog --yes',
    'echo "$URL" | <%= config.bin %> <%= command.id %> my-site --database postgresql --database-url -',
  ];
  static override args = {
    dir: Args.string({ description: 'Folder of the project. It must be empty or not exist.' }),
  };
  static override flags = {
    template: Flags.string({ options: [...TEMPLATES], description: 'Template of the project.' }),
    database: Flags.string({ options: [...DATABASES], description: 'Kind of database.' }),
    ...secretFlags('database-url', 'Address of the database: file:./data.db or postgresql://…'),
    install: Flags.boolean({ allowNo: true, default: true, description: 'Install the packages.' }),
    closed: Flags.boolean({
      default: false,
      description: 'Let nobody sign in or up until it is granted, unlike Strapi.',
    }),
    git: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Initialise a git repository and commit the files.',
    }),
    ...dryRunFlag,
  };
  static override completion = { dir: 'path' } as const;

  async run(): Promise<Outcome> {
    const { dir, root, template, databaseUrl } = await chooseProject(
      { terminal: this.terminal, canPrompt: this.canPrompt, flags: this.flags },
      this.args.dir,
    );
    const files = await composeProject({ root, template, databaseUrl, closed: this.flags.closed });
    const summary = {
      path: root,
      template,
      database: databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql',
      files: files.map((file) => file.path),
    };
    if (this.flags['dry-run']) return { json: { ...summary, dryRun: true }, text: printNewFiles(files) };
    const surroundingProject = findProjectRoot(dirname(root));
    if (surroundingProject !== undefined)
      this.warn(
        `${root} is inside the project ${surroundingProject}. Commands that run in one do not see the other.`,
      );
    await createProject(root, files);
    await writeGenerated(await openProject(root));
    const setup = await setUpProject(this.terminal, root, this.flags, (label, work) =>
      this.progress(label, work),
    );
    this.info(nextSteps(this.terminal, dir, { template, installed: setup.installed }));
    return { json: { ...summary, ...setup }, text: root };
  }
}
