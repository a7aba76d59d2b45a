# One file for every image. A service:       docker build --build-arg SERVICE=gateway .
#                       The operator's jobs: docker build --target tools .
# TypeScript runs as it is, so there is no build: dependencies, then the sources.

# What package-lock.json names for the services, without development's. Workspaces stay links: Node runs no TypeScript
# from inside node_modules.
FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY libs/ libs/
COPY services/ services/
RUN find libs services -type f ! -name package.json -delete

FROM node:26-bookworm-slim AS installed
WORKDIR /app
COPY --from=dependencies /app ./
RUN npm ci --omit=dev --include-workspace-root $(printf -- '--workspace %s ' services/*) && npm cache clean --force

FROM node:26-bookworm-slim AS sources
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=installed /app ./
COPY libs/ libs/
# Pages of the documentation for integrators.
COPY CHANGELOG.md ./
COPY docs/compatibility.md docs/
RUN install -d -o node -g node /var/cache/frontdesk
USER node

# The operator's command line and the jobs for keys, migrations and the demo: they know every service's schema.
FROM sources AS tools
COPY services/ services/
COPY scripts/ scripts/
CMD ["node", "scripts/admin/main.ts"]

# Last, hence the default: one service, with no other's code.
FROM sources AS service
ARG SERVICE
COPY services/${SERVICE}/ services/${SERVICE}/
RUN test -f services/${SERVICE}/src/main.ts
# The working directory names the service, because CMD's exec form knows no variables and a shell would swallow SIGTERM.
WORKDIR /app/services/${SERVICE}
# As scripts/start/processes/node-settings.ts has it.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072
# Stripped and compiled here once: a service starts faster and never loads the TypeScript parser. V8 keeps a cache for each
# set of flags, so it is the one below.
ENV NODE_COMPILE_CACHE=/var/cache/frontdesk
RUN node --max-heap-size=512 src/main.ts --load-only
CMD ["node", "--max-heap-size=512", "src/main.ts"]
