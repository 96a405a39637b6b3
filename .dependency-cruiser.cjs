/**
 * Who may import whom: the table of docs/architecture.md. Stages never import each other;
 * they share model/ and meet in engine/.
 */
const allowed = {
  model: [],
  telemetry: ['model'],
  config: ['model'],
  git: ['model'],
  render: ['model', 'config'],
  import: ['model', 'config'],
  plan: ['model'],
  health: ['model'],
  report: ['model'],
  store: ['model'],
  kube: ['model'],
  observe: ['kube', 'health', 'model'],
  apply: ['kube', 'health', 'model'],
  clusters: ['kube', 'config', 'model'],
  local: ['kube', 'model'],
  engine: [
    'git',
    'config',
    'clusters',
    'render',
    'kube',
    'observe',
    'plan',
    'apply',
    'health',
    'report',
    'store',
    'telemetry',
    'model',
  ],
  server: ['engine', 'report', 'telemetry', 'model'],
};

module.exports = {
  forbidden: [
    ...Object.entries(allowed).map(([folder, may]) => ({
      name: `${folder}-imports`,
      comment: `${folder}/ may import only ${may.join(', ') || 'nothing of ours'}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...may].join('|')})/` },
    })),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '(main|worker)\\.ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
