/** A source of the mapping is broken as a whole. It counts as away: it was not emptied on purpose. */
export class BrokenMappingError extends Error {
  override readonly name = 'BrokenMappingError';

  constructor(source: string, problems: readonly string[]) {
    super(
      `${source} is broken, and would name nobody: ${problems.join('; ')}. Check it with drover token map ARN --config FILE; to name nobody, write {}`,
    );
  }
}
