import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { assertEmptyFolder, composeProject, createProject } from '../scaffold/new-project.js';
import { TEMPLATES } from '../scaffold/template.js';
import { BaseCommand } from './base.js';
import { dryRunFlag } from './support/flags.js';
import { DATABASES, chooseDatabaseUrl, chooseTemplate, listNewFiles, nextSteps, setUpTools } from './support/new-project.js';
import type { Outcome } from './support/outcome.js';
import { secretFlags } from './support/secret.js';

export default class New extends BaseCommand<typeof New> {
  static override description = 'Make a new project.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> my-site',
    '<%= config.bin %> <%= command.id %> my-blog --template blog --yes',
    'echo "$URL" | <%= config.bin %> <%= command.id %> my-site --database postgresql --database-url -',
  ];
  static override args = { dir: Args.string({ description: 'Folder to make; it must not exist, or be empty.' }) };
  static override flags = {
    template: Flags.string({ options: [...TEMPLATES], description: 'What the project starts with.' }),
    database: Flags.string({ options: [...DATABASES], description: 'Where the content is kept.' }),
    ...secretFlags('database-url', 'Address of the database: file:./data.db or postgresql://…'),
    install: Flags.boolean({ allowNo: true, default: true, description: 'Install the packages.' }),
    git: Flags.boolean({ allowNo: true, default: true, description: 'Make a git repository.' }),
    ...dryRunFlag,
  };
  static override completion = { dir: 'path' } as const;

  async run(): Promise<Outcome> {
    const dir = await this.promptOr('<dir>', this.args.dir, (prompts, screen) => prompts.input({ message: 'Folder', default: 'my-site' }, screen));
    const root = resolve(this.terminal.cwd, dir);
    await assertEmptyFolder(root);
    const asking = { terminal: this.terminal, canPrompt: this.canPrompt, flags: this.flags };
    const template = await chooseTemplate(asking);
    const databaseUrl = await chooseDatabaseUrl(asking);
    const files = await composeProject({ root, template, databaseUrl });
    const facts = { path: root, template, database: databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql', files: files.map((file) => file.path) };
    if (this.flags['dry-run']) return { json: { ...facts, dryRun: true }, text: listNewFiles(files) };
    await createProject(root, files);
    const tools = await setUpTools(this.terminal, root, this.flags, (label, work) => this.progress(label, work));
    this.info(nextSteps(dir, template, tools.installed));
    return { json: { ...facts, ...tools }, text: root };
  }
}
