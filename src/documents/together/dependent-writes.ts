/** A write changes what other writes of the same statements look at, so that each has to be done alone. */
export class DependentWrites extends Error {
  override readonly name = 'DependentWrites';
}
