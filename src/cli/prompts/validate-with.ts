import { messageOf } from '../../lib/source-location.js';

/** Turns an assertion into the validation of a prompt: true, or the message of the error. */
export function validateWith(assertion: () => void): true | string {
  try {
    assertion();
    return true;
  } catch (error) {
    return messageOf(error);
  }
}
