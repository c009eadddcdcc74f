import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { createError } from '../../errors/catalogue.js';

export default class WebhookRedeliver extends BaseCommand<typeof WebhookRedeliver> {
  static override summary = 'Send deliveries again: one of the log, or all that failed.';
  static override description =
    'A running server sends them with their original keys and as many retries as at first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --failed',
    '<%= config.bin %> <%= command.id %> --failed --webhook build',
  ];
  static override args = { delivery: Args.string({ description: 'Delivery listed by cms webhook log.' }) };
  static override flags = {
    failed: Flags.boolean({ description: 'Send all deliveries that failed after all retries.' }),
    webhook: Flags.string({ description: 'Send only deliveries of this webhook.', dependsOn: ['failed'] }),
    ...remoteFlag,
  };

  async run(): Promise<Outcome> {
    const { delivery: key } = this.args;
    const { failed, webhook } = this.flags;
    if ((key === undefined) === !failed)
      throw createError('webhook/invalid', {
        reason: 'Redelivery needs either a delivery or --failed.',
        remedy: 'Name a delivery of cms webhook log, or use --failed.',
      });
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const which = key === undefined ? { failedOf: webhook ?? null } : { key };
    const count = await withAdministration(project, this.messages.warn, (api) =>
      api.webhooks.redeliver(which),
    );
    return { json: { redelivered: count }, text: `${count} to be sent again.` };
  }
}
