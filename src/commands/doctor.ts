import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.js';
import { describeFindings } from '../cli/doctor/describe-findings.js';
import type { Outcome } from '../cli/outcome.js';
import { examineProject } from '../project/doctor/examine-project.js';

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
  };

  async run(): Promise<Outcome> {
    const { findings, checklist } = await examineProject(this.projectRoot, this.flags.production);
    const spelled = findings.map(({ remedy, ...finding }) =>
      remedy === undefined ? finding : { ...finding, remedy: this.spellCommands(remedy) },
    );
    return describeFindings({ findings: spelled, checklist }, this.style);
  }
}
