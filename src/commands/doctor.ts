import * as Flags from '@oclif/core/flags';
import { remoteFlag } from '../cli/project/command-target.js';
import type { Examination, Finding } from '../api/administration/operation.js';
import { openChecks } from '../cli/administration.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Style } from '../cli/terminal/terminal.js';
import type { Outcome } from '../cli/outcome.js';

const STATUS_SYMBOLS: Readonly<
  Record<Finding['status'], readonly [mark: string, color: 'green' | 'yellow' | 'red']>
> = {
  ok: ['✔', 'green'],
  warning: ['!', 'yellow'],
  error: ['✖', 'red'],
};

/**
 * Prints a line per finding with its remedy below, then the checks to do by hand. The exit code is 1 if there
 * is an error.
 */
function describeFindings({ findings, checklist }: Examination, style: Style): Outcome {
  const lines = findings.flatMap(({ status, message, remedy }) => {
    const [symbol, color] = STATUS_SYMBOLS[status];
    return [`${style[color](symbol)} ${message}`, ...(remedy === undefined ? [] : [`  ${remedy}`])];
  });
  const isHealthy = findings.every(({ status }) => status !== 'error');
  const byHand = checklist.length === 0 ? [] : ['', 'By hand:', ...checklist.map((item) => `☐ ${item}`)];
  return {
    json: { sound: isHealthy, findings, ...(checklist.length === 0 ? {} : { checklist }) },
    text: [...lines, ...byHand].join('\n'),
    exitCode: isHealthy ? 0 : 1,
  };
}

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary = 'Check the project and its environment, and suggest fixes.';
  static override description =
    'Checks Node.js, configuration, secrets, content-types, database, generated files and uploads.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --production --json',
  ];
  static override flags = {
    production: Flags.boolean({
      description: 'Apply stricter checks for a public server, and list manual checks.',
    }),
    ...remoteFlag,
  };

  async run(): Promise<Outcome> {
    const checks = await openChecks(this.projectRoot, this.flags, this.messages);
    const isProduction = this.flags.production;
    const { findings, checklist } = await checks.examine({ isProduction });
    const spelled = findings.map(({ remedy, ...finding }) =>
      remedy === undefined ? finding : { ...finding, remedy: this.spellCommands(remedy) },
    );
    return describeFindings({ findings: spelled, checklist }, this.style);
  }
}
