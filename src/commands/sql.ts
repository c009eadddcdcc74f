import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { openProject } from '../project/open/open-project.js';
import { mapUnreachableError } from '../project/open/open-database.js';
import { BaseCommand } from '../cli/base-command.js';
import { openShell } from '../cli/terminal/run-program.js';
import { printRows, ROW_FORMATS } from '../cli/content/print-value.js';
import type { Outcome } from '../cli/outcome.js';
import { readStdin } from '../cli/prompts/secret.js';
import { createError } from '../errors/catalogue.js';

export default class Sql extends BaseCommand<typeof Sql> {
  static override summary = 'Open the database shell, or run a read-only statement.';
  static override description = 'The shell is sqlite3 or psql.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> "select title from articles where status = \'draft\'"',
    '<%= config.bin %> <%= command.id %> "select count(*) as total from articles" --format csv',
  ];
  static override args = {
    statement: Args.string({
      description: 'Read-only statement; "-" reads standard input. Without one, the shell opens.',
    }),
  };
  static override flags = {
    format: Flags.option({
      options: ROW_FORMATS,
      default: 'table' as const,
      description: 'Output format.',
    })(),
  };

  async run(): Promise<Outcome> {
    const { flags, terminal } = this;
    const project = await openProject(this.projectRoot);
    const { driver } = project.dialect;
    const { url, directUrl } = project.config.database;
    if (this.args.statement === undefined && terminal.stdin.isTTY === true)
      return openShell(terminal, driver.shell(directUrl));
    const isPiped = this.args.statement === undefined || this.args.statement === '-';
    const statement = isPiped ? await readStdin(terminal) : (this.args.statement ?? '');
    if (statement.trim() === '')
      throw createError('cli/missing-argument', { argument: 'statement', usage: 'cms sql [STATEMENT]' });
    const result = await mapUnreachableError(project, () => driver.runStatement(url, statement));
    return { json: result, text: printRows(result, flags.format, this.style) };
  }
}
