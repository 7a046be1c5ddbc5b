-- Orders and search of the directory for everyone, not only employees: Who Was Paid also lists people who are
-- employees no longer, and without an index in its order it read everyone.
DROP INDEX app_user_directory_name;
DROP INDEX app_user_directory_department;
DROP INDEX app_user_directory_search;
CREATE INDEX app_user_directory_name ON app_user (name, id);
CREATE INDEX app_user_directory_department ON app_user (department, name, id);
CREATE INDEX app_user_directory_search ON app_user USING gin
  ((search_words || ' ' || replace(department, '-', ' ')) gin_trgm_ops);
