import { compare } from 'bcryptjs';
import { invalidValue } from '../../validation/faults.js';

/** bcrypt reads no further: a longer password is nobody's, whatever it begins with. */
const BYTES_READ = 72;

/** Of no password anybody knows. What is checked against it takes as long as against a real one. */
const NOBODYS_HASH = '$2b$10$e1CbTI1GULdXhQ05.71k3O4BSuVVO8.5E9W4P4RVTYchtZEgbAXwS';

/** Whether a password fits its hash; null is nobody's. Takes the same time either way. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const isReadable = Buffer.byteLength(password) <= BYTES_READ;
  const fits = await compare(isReadable ? password : '', hash ?? NOBODYS_HASH);
  return fits && isReadable && hash !== null;
}

/** Throws `request/invalid-values` where the password and its repetition differ. */
export function assertRepeated(password: string, repetition: string): void {
  if (password !== repetition) throw invalidValue(['passwordConfirmation'], 'must be the same as the password');
}
