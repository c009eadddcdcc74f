import * as Flags from '@oclif/core/flags';
import { remoteFlag } from '../cli/project/command-target.js';
import { openChecks } from '../cli/administration.js';
import { BaseCommand } from '../cli/base-command.js';
import { describeFindings } from '../cli/doctor/describe-findings.js';
import type { Outcome } from '../cli/outcome.js';

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
