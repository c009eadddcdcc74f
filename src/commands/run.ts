import * as Args from '@oclif/core/args';
import { openProject } from '../project/open/open-project.js';
import { globalFlagsFirst } from '../cli/parse-arguments.js';
import { BaseCommand } from '../cli/base-command.js';
import { findScript, runScript } from '../cli/console.js';
import type { Outcome } from '../cli/outcome.js';
import { withApp } from '../cli/project/with-app.js';
import { withConsoleOnStdout } from '../cli/terminal/terminal.js';

export default class Run extends BaseCommand<typeof Run> {
  static override summary = 'Run a TypeScript or JavaScript script.';
  static override description = 'The script gets documents, prisma, model, config and strapi.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> scripts/count.ts',
    '<%= config.bin %> <%= command.id %> scripts/count.ts red',
  ];
  static override args = {
    script: Args.string({
      required: true,
      description: 'Script file. The function that it exports by default is called.',
    }),
    args: Args.string({
      multiple: true,
      description:
        'Arguments of the script, flags included. Pass --json, --yes and --no-color to it after "--".',
    }),
  };

  override async init(): Promise<void> {
    this.argv = globalFlagsFirst(this.argv);
    await super.init();
  }

  async run(): Promise<Outcome> {
    const { args, flags, terminal } = this;
    const project = await openProject(this.projectRoot, { command: this.command });
    const file = findScript(terminal.cwd, args.script);
    let exitCode = 0;
    const onLateRejection = (): void => void (exitCode = 1);
    const result = await withApp(
      project,
      { warn: (message) => this.warn(message), onLateRejection },
      (app) => {
        const work = (): Promise<unknown> => runScript(app, file, args.args ?? []);
        return flags.json ? work() : withConsoleOnStdout(terminal, work);
      },
    );
    return { json: { result: result ?? null }, exitCode };
  }
}
