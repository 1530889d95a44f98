const registrationPattern = /^n0_registry\.registerError\([\w$]+, [\w$]+\);$/gm;

/**
 * Takes the registrations of a service's modelled errors out of an AWS SDK schema file: they keep a class and a schema for
 * each of some hundred errors in the bundle. An error that is not registered is thrown as the service's base exception,
 * with the code that stood on the wire as its `name` and with its message: all that shared/aws looks at. Where that code is
 * not the name of the modelled error (`ResourceContention`, `ResourceContentionFault`) it asks for both.
 */
export function dropErrorRegistrations(source: string): string {
  return source.replaceAll(registrationPattern, '');
}
