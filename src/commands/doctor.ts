import * as Flags from '@oclif/core/flags';
import { BaseCommand } from './base.js';
import { describeFindings, examineProject } from './support/doctor/examine-project.js';
import type { Outcome } from './support/outcome.js';

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override description = 'Check Node, configuration, secrets, content-types, database, generated files and uploads, and say what to run.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --production --json'];
  static override flags = { production: Flags.boolean({ description: 'Be as strict as a server that strangers reach has to be.' }) };

  async run(): Promise<Outcome> {
    const findings = await examineProject(this.projectRoot, this.flags.production);
    return describeFindings(findings, this.style);
  }
}
