import { openProject } from '../../project/open-project.js';
import type { Outcome } from '../outcome.js';
import { findChangeable, withWebhooks } from './with-webhooks.js';

interface SwitchOptions {
  readonly root: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isDryRun: boolean;
}

/** Switches a webhook on or off. */
export async function switchWebhook({ root, name, isEnabled, isDryRun }: SwitchOptions): Promise<Outcome> {
  const webhook = await withWebhooks(await openProject(root), async (webhooks) => {
    const found = await findChangeable(webhooks, name);
    if (!isDryRun) await webhooks.registry.update(found.id, { isEnabled });
    return found;
  });
  const verb = isEnabled ? 'enable' : 'disable';
  return {
    json: { name: webhook.name, isEnabled, ...(isDryRun ? { dryRun: true } : {}) },
    text: `${isDryRun ? `Would ${verb}` : isEnabled ? 'Enabled' : 'Disabled'} the webhook ${webhook.name}.`,
  };
}
