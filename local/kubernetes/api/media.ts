/** How the client wants objects: whole, as metadata only, or as a table for people. */
export type Representation = 'object' | 'metadata' | 'table';

/** The first form in the Accept header that this server knows. */
export function representationOf(accept = ''): Representation {
  for (const range of accept.split(',')) {
    const parameters = range.split(';').map((part) => part.trim());
    if (parameters.includes('as=Table')) return 'table';
    if (parameters.some((part) => /^as=PartialObjectMetadata(List)?$/.test(part))) return 'metadata';
    if (/^(application\/json|application\/\*|\*\/\*)$/.test(parameters[0] ?? '')) return 'object';
  }
  return 'object';
}
