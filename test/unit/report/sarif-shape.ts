/** The parts of the SARIF 2.1.0 schema that our logs use, strict where the standard is. */
const text = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 } },
};
const level = { enum: ['none', 'note', 'warning', 'error'] };

const region = {
  type: 'object',
  required: ['startLine'],
  additionalProperties: false,
  properties: { startLine: { type: 'integer', minimum: 1 }, startColumn: { type: 'integer', minimum: 1 } },
};

const location = {
  type: 'object',
  required: ['physicalLocation'],
  additionalProperties: false,
  properties: {
    physicalLocation: {
      type: 'object',
      required: ['artifactLocation'],
      additionalProperties: false,
      properties: {
        artifactLocation: {
          type: 'object',
          required: ['uri'],
          additionalProperties: false,
          properties: {
            // A relative reference: no scheme, no leading slash, no character that must be escaped.
            uri: { type: 'string', pattern: "^(?!/)[A-Za-z0-9._~!$&'()*+,;=@%/-]+$" },
            uriBaseId: { type: 'string' },
          },
        },
        region,
      },
    },
  },
};

const rule = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    shortDescription: text,
    help: text,
    defaultConfiguration: { type: 'object', additionalProperties: false, properties: { level } },
  },
};

export const sarifShape = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['tool', 'results'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            additionalProperties: false,
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string' },
                  version: { type: 'string' },
                  rules: { type: 'array', uniqueItems: true, items: rule },
                },
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          originalUriBaseIds: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              additionalProperties: false,
              properties: { uri: { type: 'string' }, description: text },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: 0 },
                level,
                message: text,
                locations: { type: 'array', items: location },
              },
            },
          },
        },
      },
    },
  },
};
