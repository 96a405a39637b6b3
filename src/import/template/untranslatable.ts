/** Thrown inside of template/ for what has no equal; the translator turns it into a finding. */
export class Untranslatable extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.name = 'Untranslatable';
    this.remedy = remedy;
  }
}
