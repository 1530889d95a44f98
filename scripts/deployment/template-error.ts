/** The packaged template says something that this sandbox cannot carry out; running something else would be a lie. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** The place in the template, e.g. `Resources.InboxQueue.Properties.VisibilityTimeout`. */
  readonly where: string;

  constructor(where: string, problem: string) {
    super(`${where}: ${problem}`);
    this.where = where;
  }
}
