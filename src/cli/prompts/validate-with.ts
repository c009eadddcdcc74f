import { messageOf } from '../../lib/source-location.js';
import type { Validity } from './prompt.js';

/** Turns an assertion into the validation of a prompt: true, or the message of the error. */
export async function validateWith(assertion: () => unknown): Promise<Validity> {
  try {
    await assertion();
    return true;
  } catch (error) {
    return messageOf(error);
  }
}
