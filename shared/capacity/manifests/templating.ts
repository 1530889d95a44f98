/** Actions of Helm's templates, which no other text has. */
const helm = /\{\{-? ?(?:\.Values|\.Release|\.Chart|\.Capabilities|include "|template "|toYaml |define ")/;

const message =
  'looks like a template that was not rendered: for a chart of Helm, give the output of helm template CHART with -f -';

/** Why a document cannot be used if it has actions of Helm; undefined if it has none. */
export const unrendered = (text: string): string | undefined => (helm.test(text) ? message : undefined);

/** Why a document with a problem has it; undefined if it has no template. ConfigMaps and arguments of programs may have templates without a problem. */
export const whyBroken = (text: string): string | undefined => (text.includes('{{') ? message : undefined);
