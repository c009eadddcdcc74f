import { openProject } from '../project/open/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { openScope, runInteractively, runPiped, withGlobals } from '../cli/console.js';
import type { Outcome } from '../cli/outcome.js';
import { withApp } from '../cli/project/with-app.js';
import { wantsColor, withConsoleOnStdout, writeText } from '../cli/terminal/terminal.js';

export default class Console extends BaseCommand<typeof Console> {
  static override summary = 'Run code with documents, prisma, model, config and strapi in scope.';
  static override description =
    'Opens an interactive console on a terminal. Otherwise runs the code from standard input.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'echo "await documents(\'api::article.article\').count()" | <%= config.bin %> <%= command.id %>',
  ];

  async run(): Promise<Outcome> {
    const { flags, terminal } = this;
    const project = await openProject(this.projectRoot, { command: this.command });
    const results: string[] = [];
    const onResult = (text: string): void => {
      if (flags.json) results.push(text);
      else writeText(terminal.stdout, text);
    };
    await withApp(project, { warn: (message) => this.warn(message) }, async (app) => {
      const scope = await openScope(app);
      const work = async (): Promise<void> => {
        if (terminal.stdin.isTTY !== true) return runPiped(terminal, onResult);
        this.info(`In scope: ${Object.keys(scope).join(', ')}. Tab completes, .exit or Ctrl-D leaves.`);
        const useColors = !flags['no-color'] && wantsColor(terminal, terminal.stdout);
        return runInteractively(app, scope, { terminal, useColors });
      };
      return withGlobals(scope, () => (flags.json ? work() : withConsoleOnStdout(terminal, work)));
    });
    return { json: { results } };
  }
}
