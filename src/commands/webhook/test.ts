import * as Args from '@oclif/core/args';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';

export default class WebhookTest extends BaseCommand<typeof WebhookTest> {
  static override summary = 'Send a test to a webhook once and print the response.';
  static override description =
    'Sends the event trigger-test without an entry, or cache.purge with the tag galley-test, signed like ' +
    'any other. Fails if the webhook fails.';
  static override examples = ['<%= config.bin %> <%= command.id %> build'];
  static override args = { name: Args.string({ required: true, description: 'Name or id of the webhook.' }) };
  static override flags = remoteFlag;
  static override completion = { name: 'webhook' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const result = await withAdministration(project, this.messages.warn, (api) =>
      api.webhooks.test({ name: this.args.name }),
    );
    const { name, isDelivered, responseStatus, duration, error } = result;
    const verb = isDelivered ? 'accepted' : 'did not accept';
    const response = isDelivered ? `HTTP ${responseStatus}` : error;
    return {
      json: result,
      text: `${name} ${verb} the test in ${duration} ms: ${response}`,
      exitCode: isDelivered ? 0 : 1,
    };
  }
}
