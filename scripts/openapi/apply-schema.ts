import * as z from 'zod/mini';
import { declaration } from '../../cli/apply/document.ts';

/** The JSON Schema of the files of `drover apply`, for editors, made from the schema that checks them. */
export const applySchema = (): object =>
  z.toJSONSchema(declaration(), {
    io: 'input',
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // Editors know the formats of times and dates, and show a pattern to people.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });

/** The text of docs/drover.schema.json. */
export const applySchemaText = (): string => `${JSON.stringify(applySchema(), null, 2)}\n`;
